import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
import { type OwnReview, ReviewForm } from './review-form.tsx';

const own: OwnReview = {
  id: 'mine',
  rating: 2,
  comment: 'It took far longer than they had said.',
  pictures: ['one', 'two'].map((name) => ({ src: `/pictures/${name}.jpg`, srcSet: '', alt: '' }) as OwnReview['pictures'][number]),
  removedBecause: null,
  editableUntil: '2090-01-01T00:00:00.000Z',
};
const done = { body: { message: 'Thank you for your review.' } };
const comment = 'Came the same day and left it tidy.';

function show(review: OwnReview | null) {
  const onChanged = vi.fn<() => void>();
  return { onChanged, ...renderPart(<ReviewForm listingId="listing" own={review} onChanged={onChanged} onClose={() => {}} />) };
}
const box = () => screen.findByLabelText<HTMLTextAreaElement>('Your review');

test('a review that failed to send keeps stars and text, and is sent by the next press', async () => {
  const calls = answerCalls({ 'POST /review/create': [null, done] });
  const { user, onChanged } = show(null);
  await user.type(await box(), comment);
  await user.click(screen.getByLabelText('4 stars'));
  const press = () => user.click(screen.getByRole('button', { name: 'Submit review' }));
  await press();
  await screen.findByText('Failed to submit review. Please try again.');
  expect((await box()).value).toBe(comment);
  expect(onChanged).not.toHaveBeenCalled();
  await press();
  await screen.findByText(done.body.message);
  const body = { listingId: 'listing', rating: '4', comment };
  expect(calls.map((one) => one.body)).toEqual([body, body]);
  expect(onChanged).toHaveBeenCalledOnce();
});

test('a change of a review keeps the photos that were not removed', async () => {
  const calls = answerCalls({ 'PUT /review/mine': [done] });
  const { user } = show(own);
  expect((await box()).value).toBe(own.comment);
  await user.click(screen.getAllByRole('button', { name: /^Remove/ })[0] as HTMLElement);
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await screen.findByText(done.body.message);
  expect(calls[0]?.body).toEqual({ rating: '2', comment: own.comment, keptPictures: '["/pictures/two.jpg"]' });
});

test('a review is withdrawn by a second press only, once, and a failure can be tried again', async () => {
  const calls = answerCalls({ 'DELETE /review/mine': [null, { body: { message: 'Your review is withdrawn.' } }] });
  const { user, onChanged } = show(own);
  const press = async () => user.click(await screen.findByRole('button', { name: 'Withdraw review' }));
  await press();
  expect(document.activeElement?.textContent).toMatch(/^Nobody will see your review any more/);
  expect(calls).toEqual([]);
  await press();
  await screen.findByText('Your review could not be withdrawn. Please try again.');
  expect(onChanged).not.toHaveBeenCalled();
  await press();
  await screen.findByText('Your review is withdrawn.');
  expect(calls).toHaveLength(2);
  expect(onChanged).toHaveBeenCalledOnce();
});

test('a review that was removed cannot be changed, and one that is too old can be withdrawn only', async () => {
  const { unmount } = show({ ...own, removedBecause: 'offensive' });
  await screen.findByText(/Your review was removed, so it can’t be changed/);
  expect(screen.queryByRole('button')).toBeNull();
  unmount();
  show({ ...own, editableUntil: '2020-01-01T00:00:00.000Z' });
  await screen.findByText(/You can still withdraw yours/);
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Withdraw review']);
});
