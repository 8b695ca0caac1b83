import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { forgetUser, storeUser } from '../../lib/session/stored-user.ts';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import CompareListingsPage from './compare-listings.tsx';

const idOf = (number: number) => `019c0000-0000-7000-8000-00000000000${number}`;
const [one, two, three] = [idOf(1), idOf(2), idOf(3)] as [string, string, string];
const listing = (_id: string, serviceTitle: string, sellerId: string, status = 'active') => ({
  body: {
    _id,
    serviceTitle,
    sellerId,
    businessTitle: `Business of ${sellerId}`,
    serviceCategory: 'Plumbing',
    services: [],
    pictures: [],
    verified: [],
    serviceDistricts: [],
    location: 'Taupō, Waikato, New Zealand',
    country: 'NZ',
    status,
    averageRating: 0,
    reviewCount: 0,
  },
});
const noReplyTimes = { body: { replyTimes: [] } };
const gone = { status: 410, body: { code: 'listing_gone', message: 'Gone' } };
const sent = { body: { message: 'Sent', conversationId: 'talk' } };

beforeEach(() => {
  forgetUser();
  localStorage.clear();
});
const show = (...ids: string[]) => renderPart(<CompareListingsPage />, { path: `/mylistings/compare?listings=${ids.join()}` });
const titles = () => screen.queryAllByText(/^(Drains|Gutters|Taps)$/, { selector: 'a' }).map(({ textContent }) => textContent);
const box = () => screen.findByLabelText<HTMLTextAreaElement>('Your message');

test('a listing that could not be loaded leaves the others, with what is written and sent, and is loaded again by itself', async () => {
  const late = createLateAnswer(null);
  const calls = answerCalls({
    [`GET /listing/${one}`]: [listing(one, 'Drains', 'ana')],
    [`GET /listing/${two}`]: [listing(two, 'Gutters', 'tane')],
    [`GET /listing/${three}`]: [null, late.answer, listing(three, 'Taps', 'hemi')],
    'GET /messages/reply-times': [noReplyTimes],
    'POST /email/send': [sent, null, sent, sent, sent],
  });
  const { user } = show(one, two, three);
  await screen.findByText('One listing could not be loaded.', { exact: false });
  expect(titles()).toEqual(['Drains', 'Gutters']);
  await user.type(await box(), 'Can you come?');
  await user.click(screen.getByText('Send to all 2'));
  await screen.findByText(/^Not sent to Business of tane/);
  const retry = () => user.click(screen.getByText('Try Again'));
  await retry();
  // What is loaded again, and fails again, takes nothing away.
  await expect.poll(() => screen.queryByText('Try Again')).toBeNull();
  screen.getByText(/^Sent to Business of ana/);
  late.give();
  await screen.findByText('One listing could not be loaded.', { exact: false });
  screen.getByText(/^Sent to Business of ana/);
  expect((await box()).value).toBe('Can you come?');
  await retry();
  await expect.poll(titles).toEqual(['Drains', 'Gutters', 'Taps']);
  expect(calls.filter(({ path }) => path === `/listing/${one}`)).toHaveLength(1);
  expect((await box()).value).toBe('Can you come?');
  // Who has the message already gets it under its first id, which sends no second one.
  await user.click(screen.getByText('Send to all 3'));
  await expect.poll(() => screen.queryAllByText(/^Sent to /).length).toBe(3);
  const parts = calls.filter(({ method }) => method === 'POST').map(({ body }) => body as { listingId: string; clientId: string });
  const idsOf = (listingId: string) => parts.filter((part) => part.listingId === listingId).map(({ clientId }) => clientId);
  expect([idsOf(one), idsOf(two), idsOf(three)].map((ids) => [ids.length, new Set(ids).size])).toEqual([
    [2, 1],
    [2, 1],
    [1, 1],
  ]);
  expect(new Set(parts.map(({ clientId }) => clientId)).size).toBe(3);
});

test('if none could be loaded, that is said, and not that there is nothing to compare', async () => {
  const late = createLateAnswer(listing(one, 'Drains', 'ana'));
  const later = createLateAnswer(listing(two, 'Gutters', 'tane'));
  answerCalls({
    [`GET /listing/${one}`]: [null, late.answer],
    [`GET /listing/${two}`]: [null, later.answer],
    'GET /messages/reply-times': [noReplyTimes],
  });
  const { user } = show(one, two);
  await screen.findByText('2 listings could not be loaded.', { exact: false });
  expect(screen.queryByText('Nothing to compare')).toBeNull();
  await user.click(screen.getByText('Try Again'));
  await expect.poll(() => screen.queryByText('Try Again')).toBeNull();
  expect(screen.queryByText('Nothing to compare')).toBeNull();
  late.give();
  later.give();
  await expect.poll(titles).toEqual(['Drains', 'Gutters']);
});

test('only listings that are there and of others get a message; one that is gone is said to be', async () => {
  storeUser({ _id: 'mere', token: 'token' } as Parameters<typeof storeUser>[0]);
  const calls = answerCalls({
    [`GET /listing/${one}`]: [listing(one, 'Drains', 'ana')],
    [`GET /listing/${two}`]: [listing(two, 'Gutters', 'mere')],
    [`GET /listing/${three}`]: [gone],
    'GET /messages/reply-times': [noReplyTimes],
    'POST /email/send': [sent],
  });
  const { user } = show(one, two, three);
  await screen.findByText('One of them is no longer available.');
  expect(screen.queryByText('Try Again')).toBeNull();
  expect(titles()).toEqual(['Drains', 'Gutters']);
  await user.type(await box(), 'Can you come?');
  await user.click(screen.getByText('Send message'));
  await screen.findByText(/^Sent to Business of ana/);
  expect(calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toMatchObject([{ listingId: one, sellerId: 'ana' }]);
});

test('a listing is taken out of the comparison, which stays in the address, down to none', async () => {
  answerCalls({
    [`GET /listing/${one}`]: [listing(one, 'Drains', 'ana', 'expired')],
    [`GET /listing/${two}`]: [listing(two, 'Gutters', 'tane', 'inactive')],
    'GET /messages/reply-times': [noReplyTimes],
  });
  const { user, router } = show(one, 'nonsense', two, one);
  await expect.poll(titles).toEqual(['Drains', 'Gutters']);
  // Nobody who has ended is asked.
  expect(screen.queryByLabelText('Your message')).toBeNull();
  await user.click(screen.getByText('Take Drains out of the comparison'));
  await expect.poll(titles).toEqual(['Gutters']);
  expect(router.state.location.search).toBe(`?listings=${two}`);
  await user.click(screen.getByText('Take Gutters out of the comparison'));
  await screen.findByText('Nothing to compare');
});

test('three listings at most are compared', async () => {
  const four = [one, two, three, idOf(4)];
  const calls = answerCalls({
    ...Object.fromEntries(four.map((id) => [`GET /listing/${id}`, [listing(id, 'Drains', 'ana')]])),
    'GET /messages/reply-times': [noReplyTimes],
  });
  show(...four);
  await expect.poll(titles).toEqual(['Drains', 'Drains', 'Drains']);
  expect(calls.filter(({ path }) => path.startsWith('/listing/'))).toHaveLength(3);
});
