import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import { ReviewList } from './review-list.tsx';
import type { ReviewsView, ReviewView } from './review-view.ts';

const view = (number: number): ReviewView => ({
  id: `review ${number}`,
  name: 'Ana T.',
  avatar: '',
  rating: 5,
  comment: `Comment ${number}.`,
  pictures: [],
  age: 'Today',
  date: 'Nov 21, 2026',
  createdAt: '2026-11-20T23:00:00Z',
  edited: false,
  evidence: 'No contact through Handwise',
  hasContact: false,
  answer: null,
});
const reviews: ReviewsView = {
  average: 5,
  total: 12,
  counts: [0, 0, 0, 2, 10],
  newest: Array.from({ length: 10 }, (_, index) => view(index + 1)),
  removed: [],
  timeZone: 'Pacific/Auckland',
};
const page = (total: number, ...comments: string[]) => ({
  body: {
    totalReviews: total,
    removed: [],
    reviews: comments.map((comment) => ({
      _id: comment,
      buyerName: 'Mere K.',
      username: 'mere',
      buyerAvatar: '',
      rating: 4,
      comment,
      pictures: [],
      createdAt: '2026-10-20T23:00:00Z',
      updatedAt: '2026-10-20T23:00:00Z',
      editedAt: null,
      evidence: null,
      answer: null,
    })),
  },
});
const show = () => renderPart(<ReviewList listingId="listing" business="Ana Plumbing" reviews={reviews} />);
const listComments = () => screen.queryAllByText(/^(Comment|Late)/).map(({ textContent }) => textContent);
const more = () => screen.findByRole('button', { name: 'Show more reviews' });

test('older reviews that could not be loaded are said to have failed, and can be loaded again below the others', async () => {
  const calls = answerCalls({ 'GET /listing/listing/reviews': [null, page(12, 'Late 11.', 'Late 12.')] });
  const { user } = show();
  await user.click(await more());
  expect((await screen.findByRole('alert')).textContent).toBe('The reviews could not be loaded just now. Please try again.');
  expect(listComments()).toHaveLength(10);
  await user.click(await more());
  await expect.poll(() => listComments().slice(9)).toEqual(['Comment 10.', 'Late 11.', 'Late 12.']);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Show more reviews' })).toBeNull();
  screen.getByText('12 of 12 reviews shown');
  expect(calls.map(({ path }) => path)).toEqual(Array(2).fill('/listing/listing/reviews?sort=newest&page=2'));
});

test('the reviews of a number of stars replace the others, and none are not all', async () => {
  const calls = answerCalls({ 'GET /listing/listing/reviews': [page(1, 'Late four.'), null, page(0)] });
  const { user } = show();
  const stars = await screen.findByLabelText<HTMLSelectElement>('Stars');
  await user.selectOptions(stars, '4');
  await expect.poll(listComments).toEqual(['Late four.']);
  await user.selectOptions(stars, '1');
  await screen.findByRole('alert');
  expect([stars.value, ...listComments()]).toEqual(['4', 'Late four.']);
  await user.selectOptions(stars, '1');
  await screen.findByText('No review gave 1 star.');
  expect(listComments()).toEqual([]);
  expect(calls.at(-1)?.path).toBe('/listing/listing/reviews?sort=newest&stars=1&page=1');
});

test('the answer to an earlier choice that comes late does not replace the last one', async () => {
  const { answer, give } = createLateAnswer(page(1, 'Late five.'));
  answerCalls({ 'GET /listing/listing/reviews': [answer, page(1, 'Late four.')] });
  const { user } = show();
  const stars = await screen.findByLabelText<HTMLSelectElement>('Stars');
  await user.selectOptions(stars, '5');
  await user.selectOptions(stars, '4');
  await expect.poll(listComments).toEqual(['Late four.']);
  give();
  await answer;
  await user.tab();
  expect(listComments()).toEqual(['Late four.']);
});
