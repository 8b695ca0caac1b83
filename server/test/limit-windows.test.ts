import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { photo } from '@handwise/sandbox/testing/photos';
import { notifyOfGuesses } from '../src/domains/accounts/accounts.passwords.ts';

// How many attempts each limit allows is tested where it belongs; here, for how long they count.

const { db, given, callers, parts } = await testApp();
const { as, asVisitor } = callers;

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const user = await given.member();
const seller = await given.member();
const listing = await given.listing({ sellerId: seller._id });
const job = { job: 'A tap drips.', category: 'Plumbing', subCategory: '', place: 'Taupō', when: 'asap', date: '' };
const quote = {
  kind: 'quote',
  gstIncluded: true,
  validUntil: new Date(Date.now() + 3 * day * 1_000).toISOString().slice(0, 10),
  lines: [{ description: 'Labour', quantityMilli: 1_000, unitMinor: 9_500 }],
  notes: '',
};
const contact = () =>
  as(user).post('/email/send', { sellerId: seller._id, listingId: listing.id, message: 'Can you come?', clientId: randomUUID() });
const login = () => asVisitor.post('/auth/login', { email: user.email, password: 'wrong-horse' });
const requestQuote = () => as(user).post('/quote-requests', { ...job, listingId: listing.id, clientId: randomUUID() });
const sendQuote = async () => {
  await contact();
  const { conversations } = (await as(seller).get('/messages')).body;
  return as(seller).post('/quotes', { ...quote, conversationId: conversations[0]._id, clientId: randomUUID() });
};
const review = async () =>
  as(user).postForm('/review/create', { listingId: listing.id, rating: '5', comment: 'Tidy.' }, [
    { field: 'pictures', name: 'a.jpg', bytes: await photo(100) },
  ]);
const period = new Date().toISOString().slice(0, 7);

/** The beginning of a limit's key, for how many seconds its attempts count, and a call that is one. */
test.each<[string, number, () => Promise<unknown>]>([
  ['register-from:', hour, () => given.user()],
  [`login:${user.email} from `, 15 * minute, login],
  ['login-from:', 15 * minute, login],
  ['login-anywhere:', hour, login],
  ['guesses-mailed:', day, () => notifyOfGuesses(parts.context, user.email)],
  ['reset-from:', hour, () => asVisitor.post('/auth/forgot-password', { email: 'nobody@example.org' })],
  ['confirm-from:', hour, () => as(user).post('/auth/verify-email/resend', {})],
  ['passkey-from:', hour, () => asVisitor.post('/auth/login/passkey/options')],
  ['address-by:', hour, () => as(user).put('/auth/email', { email: 'other@example.org', currentPassword: 'correct-horse' })],
  ['export-by:', day, () => as(user).get('/auth/export')],
  ['conversations-by:', day, contact],
  ['messages-by:', minute, contact],
  ['quotes-by:', 10 * minute, requestQuote],
  ['quotes-sent-by:', hour, sendQuote],
  ['review-photos-by:', 10 * minute, review],
  ['report:', day, () => as(user).post('/reports', { kind: 'listing', id: listing.id, reason: 'spam' })],
  ['decision-link:', hour, () => asVisitor.post('/decisions/linked', { token: 'a'.repeat(43) })],
  ['referral-check-from:', minute, () => asVisitor.get('/referral/check/REF-ABC-1234')],
  [
    'referral-code-by:',
    10 * minute,
    () => as(user).post('/plan-user/use-referral', { planId: given.planId('basic'), referralCode: 'REF-ABC-1234', country: 'NZ' }),
  ],
  ['invitation-from:', hour, () => asVisitor.post('/invitations/show', { token: 'a'.repeat(43) })],
  ['ticket-log-from:', minute, () => asVisitor.get(`/draws/${period}/log`)],
  ['whole-ticket-log-from:', minute, () => asVisitor.get(`/draws/${period}/log.txt`)],
  [
    'contact by ',
    hour,
    () => asVisitor.post('/contact', { fullName: 'Mere', email: 'mere@example.org', message: 'How long do listings run?' }),
  ],
])('attempts of “%s” count for %d seconds', async (prefix, seconds, attempt) => {
  await db.deleteFrom('attempts').execute();
  await attempt();
  const found = await db
    .selectFrom('attempts')
    .select(['key', sql<number>`extract(epoch from window_ends_at - now())::float8`.as('left')])
    .execute();
  const left = found.filter(({ key }) => key.startsWith(prefix)).map((one) => one.left);
  expect(left).not.toEqual([]);
  // The window began a moment ago, on a slow machine some seconds ago.
  for (const one of left) {
    expect(one).toBeLessThanOrEqual(seconds);
    expect(one).toBeGreaterThan(seconds - 30);
  }
});
