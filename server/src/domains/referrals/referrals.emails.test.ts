import { expect, test } from 'vitest';
import type { Mail } from '../../kit/mail/mail.ts';
import { approvedEmail, heldEmail, lapsedEmail, refusedEmail, rewardsVoidedEmail, ticketsEmail } from './referrals.emails.ts';

const reader = { to: 'mere@example.org', name: 'Mere Kīngi', appUrl: 'https://handwise.example', id: 'u1' };
const [referrer, referred] = (['referrer', 'referred'] as const).map((role) => ({ ...reader, role }));
const textsOf = ({ blocks }: Mail) => blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []));
const linksOf = ({ blocks }: Mail) => blocks.flatMap((block) => (block.kind === 'button' ? [`${block.label}: ${block.url}`] : []));
if (!referrer || !referred) throw new Error('there are two');

// The 10th in New Zealand.
const until = new Date('2031-07-09T20:00:00Z');
const hold = { held_because: 'You share a network.', held_at: new Date(0), held_until: until };

test.each([
  [
    referrer,
    true,
    'One of your referrals',
    /^It counts at once if the new account pays .*decided by Jul 10, 2031, it lapses and earns nothing\.$/,
  ],
  [
    referred,
    true,
    'Your sign-up with a referral code',
    /^It counts at once if you pay .*decided by Jul 10, 2031, it lapses and earns nothing\.$/,
  ],
  [referrer, false, 'One of your referrals', /^If nobody has decided by Jul 10, 2031, it counts and the tickets are issued then\.$/],
] as const)('a hold says to each person what follows: %#', (to, lapses, one, words) => {
  const mail = heldEmail(to, { ...hold, held_lapses: lapses });
  expect([mail.to, mail.subject]).toEqual(['mere@example.org', `${one} is being checked`]);
  expect(textsOf(mail).slice(0, 2)).toEqual([expect.stringMatching(/The reason: You share a network\.$/), expect.stringMatching(words)]);
  expect(linksOf(mail)).toEqual(['Object: https://handwise.example/contact']);
});

test('a decision says whose it was, and what does not count can be objected to', () => {
  expect([
    approvedEmail(referrer, { by: null, reason: 'Late.' }).subject,
    approvedEmail(referred, { by: null, reason: 'Late.' }).subject,
  ]).toEqual(['Your referral counts', 'Your sign-up with a referral code counts']);
  expect(textsOf(approvedEmail(referrer, { by: null, reason: 'Late.' }))).toContain('The reason: Late.');
  expect(textsOf(approvedEmail(referrer, { by: 'a1', reason: 'Checked.' }))).toContain('The administrator’s reason: Checked.');
  expect(textsOf(refusedEmail(referred, 'A ring.')).slice(0, 2)).toEqual([
    'Your sign-up with a referral code does not count and earns no rewards.',
    'The reason: A ring.',
  ]);
  expect(textsOf(lapsedEmail(referrer, 'A network.'))[1]).toMatch(
    /nobody decided within 60 days\. It was held for this reason: A network\.$/,
  );
});

test.each([
  [1, 0, ['1 ticket from it takes no part in the draw any more.'], true],
  [5, 1, ['5 tickets from it take no part in the draw any more. The free month from it can no longer be used.'], true],
  [0, 1, ['The free month from it can no longer be used.'], false],
  [0, 0, [], false],
])(
  'whoever loses %i tickets and %i free months reads what was taken from them, with the log’s head if it was tickets',
  (tickets, months, taken, hasHead) => {
    const others = { tickets: new Map([['other', 9]]), freeMonths: new Map([['other', 9]]) };
    if (tickets > 0) others.tickets.set('u1', tickets);
    if (months > 0) others.freeMonths.set('u1', months);
    const mail = rewardsVoidedEmail(referrer, { by: 'a1', reason: 'Fraud.' }, { ...others, head: 'the head' });
    expect(textsOf(mail).slice(1, 2 + taken.length)).toEqual(['The administrator’s reason: Fraud.', ...taken]);
    expect(JSON.stringify(mail.blocks).includes('the head')).toBe(hasHead);
  },
);

test.each([
  [
    'signup',
    1,
    'You have a ticket for the monthly draw',
    /^You signed up with a referral code\. You have earned 1 ticket for the \$500/,
    false,
  ],
  ['code_used', 1, 'Somebody signed up with your referral code', /^Somebody signed up using your referral code\./, false],
  ['listing', 5, 'Somebody you referred has a live listing', /earned 5 tickets for the \$500 monthly draw/, true],
] as const)('tickets for %s say why, until when and what else', (occasion, tickets, subject, words, canSwap) => {
  const draw = { closesAt: new Date('2031-06-30T11:30:00Z'), prizeDollars: 500, permits: [], leftOut: [] };
  const end = { oneClick: 'https://handwise.example/1', page: 'https://handwise.example/2' };
  const mail = ticketsEmail({ ...reader, end }, { occasion, tickets, draw, head: 'the head' });
  expect([mail.subject, mail.end]).toEqual([subject, end]);
  const [first, ...more] = textsOf(mail);
  expect(first).toMatch(words);
  expect(first).toMatch(/closes on Jun 30, 2031 at 11:30 pm New Zealand time\.$/);
  expect(more.some((text) => text.startsWith('Until then you can swap the 5 tickets for a free month'))).toBe(canSwap);
});
