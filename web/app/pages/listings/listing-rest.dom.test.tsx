import { act, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { ListingView } from '../../domains/listings/listing-view.ts';
import { forgetUser, storeUser } from '../../lib/session/stored-user.ts';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import { ListingFacts } from './listing-rest.tsx';

const listing = {
  id: 'listing',
  number: 7,
  sellerId: 'kingi',
  services: [],
  business: { name: 'Kingi Plumbing', logo: '', color: '#047857', about: [], website: null },
  location: 'Dunedin, Otago, New Zealand',
  status: 'active',
  facts: { stated: [], licence: null, withoutLicence: null, verified: [] },
  timeZone: 'Pacific/Auckland',
} as unknown as ListingView;
const reviews = { average: 0, total: 0, counts: [0, 0, 0, 0, 0], newest: [], removed: [], timeZone: 'Pacific/Auckland' };

const review = (id: string, comment: string) => ({
  body: { review: { _id: id, rating: 4, comment, pictures: [], removedBecause: null, editableUntil: '2090-01-01T00:00:00.000Z' } },
});
const none = { body: { review: null } };
const signIn = (id: string) => act(() => storeUser({ _id: id, token: `token-of-${id}` } as Parameters<typeof storeUser>[0]));
const show = () => renderPart(<ListingFacts listing={listing} reviews={reviews} />);
const box = async () => within(await screen.findByRole('dialog')).findByLabelText<HTMLTextAreaElement>('Your review');

beforeEach(() => forgetUser());

test('a person who signs in in another tab is not shown the review of the one before, nor changes it', async () => {
  const late = createLateAnswer(review('of tama', 'Came late.'));
  answerCalls({ 'GET /listing/listing/reviews/mine': [review('of mere', 'Came the same day.'), late.answer, none] });
  signIn('mere');
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Change your review' }));
  expect((await box()).value).toBe('Came the same day.');
  signIn('tama');
  // Nothing is known of them yet.
  expect(screen.queryByText('Came the same day.')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Change your review' })).toBeNull();
  late.give();
  expect((await box()).value).toBe('Came late.');
  signIn('wiremu');
  await screen.findByRole('button', { name: 'Submit review' });
  expect((await box()).value).toBe('');
  expect(screen.getByRole('button', { name: 'Write a review' })).toBeTruthy();
});

test('the answer to the one before does not become the next one’s review, however late it comes', async () => {
  const late = createLateAnswer(review('of mere', 'Came the same day.'));
  const calls = answerCalls({ 'GET /listing/listing/reviews/mine': [late.answer, none] });
  signIn('mere');
  const { user } = show();
  await expect.poll(() => calls.length).toBe(1);
  signIn('tama');
  await expect.poll(() => calls.length).toBe(2);
  late.give();
  await user.click(await screen.findByRole('button', { name: 'Write a review' }));
  expect((await box()).value).toBe('');
});

test('after a review is published it is read again, and the next press changes it', async () => {
  answerCalls({
    'GET /listing/listing/reviews/mine': [null, review('of mere', 'Came the same day and left it tidy.')],
    'POST /review/create': [{ body: { message: 'Thank you for your review.' } }],
  });
  signIn('mere');
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Write a review' }));
  await user.type(await box(), 'Came the same day and left it tidy.');
  await user.click(screen.getByLabelText('4 stars'));
  await user.click(screen.getByRole('button', { name: 'Submit review' }));
  expect(await screen.findByRole('button', { name: 'Change your review' })).toBeTruthy();
});

test('a visitor and the business itself are asked for no review', async () => {
  const calls = answerCalls({});
  const { unmount } = show();
  expect(screen.getByRole('link', { name: /^Sign in to be the first/ }).getAttribute('href')).toBe('/auth/login?redirect=/listing/listing');
  unmount();
  signIn('kingi');
  show();
  expect(screen.queryByRole('button', { name: /review$/ })).toBeNull();
  expect(calls).toEqual([]);
});
