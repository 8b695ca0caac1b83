import { expect, test } from 'vitest';
import type { Mail } from '../../kit/mail/mail.ts';
import {
  notRenewedEmail,
  renewalFailedEmail,
  renewalNoticeEmail,
  renewalOffEmail,
  renewalOnEmail,
  renewedForFreeEmail,
} from './plans.renewals.emails.ts';

const facts = {
  to: 'mere@example.org',
  name: 'Mere Kīngi',
  appUrl: 'https://handwise.example',
  planName: 'Premium',
  price: '$25.00 NZD',
  card: { brand: 'visa', last4: '4242' },
  // The 2nd and the 5th in Auckland.
  chargeAt: new Date('2027-04-01T20:00:00Z'),
  endsAt: new Date('2027-04-04T20:00:00Z'),
  isPaidAtOnce: false,
  timeZone: 'Pacific/Auckland',
  free: null,
  canRenew: true,
};
const freeMonth = { ...facts, free: { source: 'free_month', needs: null } } as const;
const textsOf = ({ blocks }: Mail) => blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []));
const rowsOf = ({ blocks }: Mail) =>
  blocks.flatMap((block) => (block.kind === 'facts' ? block.rows.map(({ label, value }) => `${label}: ${value}`) : []));
const linksOf = ({ blocks }: Mail) =>
  blocks.flatMap((block) =>
    block.kind === 'button' ? [`${block.label}: ${block.url}`] : block.kind === 'links' ? block.rows.map(({ label }) => label) : [],
  );

test('a notice names the day, the price and the card, and how to stop it', () => {
  const mail = renewalNoticeEmail(facts);
  expect(mail).toMatchObject({ to: 'mere@example.org', subject: 'Your Premium plan renews on Apr 2, 2027 for $25.00 NZD' });
  expect(rowsOf(mail)).toEqual([
    'Plan: Premium, 30 days',
    'Amount: $25.00 NZD, GST included',
    'Card: Visa ending in 4242',
    'Charged on: Apr 2, 2027',
    'Current period ends: Apr 5, 2027',
  ]);
  expect(linksOf(mail)).toEqual(['See or switch off the renewal: https://handwise.example/mylistings/mylistings', 'How to stop']);
});

test('a notice of a renewal that a free month pays says that nothing is charged', () => {
  const mail = renewalNoticeEmail(freeMonth);
  expect(mail.subject).toBe('Your Premium plan renews on Apr 2, 2027 with your free month');
  expect(rowsOf(mail)).toEqual(
    expect.arrayContaining(['Amount: Nothing: your free month pays (else $25.00 NZD)', 'Renews on: Apr 2, 2027']),
  );
});

test.each([
  ['confirmed_address', 'confirm your email address'],
  ['other_card', 'save a card that has not paid for a free month yet'],
] as const)('a free month that needs %s is announced as one, and the price stays', (needs, what) => {
  const mail = renewalNoticeEmail({ ...facts, free: { source: 'free_month', needs } });
  expect(mail.subject).toContain('for $25.00 NZD');
  expect(textsOf(mail)).toContain(`You have a free month. To use it instead of your card, ${what} before that day.`);
});

test.each([
  [
    { chargeAt: null },
    false,
    'We don’t try again by ourselves. The plan ends on Apr 5, 2027 unless you renew it before.',
    'Renew for $25.00 NZD',
  ],
  [
    {},
    false,
    'We try again on Apr 2, 2027. If that fails too, the plan ends on Apr 5, 2027 unless you renew it before.',
    'Renew for $25.00 NZD',
  ],
  [
    { isPaidAtOnce: true },
    false,
    'We try again on Apr 2, 2027. If that fails too, the plan ends on Apr 5, 2027 unless you pay before.',
    'Pay $25.00 NZD now',
  ],
  [{ isPaidAtOnce: true }, true, expect.stringContaining('unless you pay before.'), 'Confirm and pay'],
  [{ chargeAt: null, canRenew: false }, true, 'We don’t try again by ourselves. The plan ends on Apr 5, 2027.', 'Open My Listings'],
])('a failed renewal with %j (the bank asks: %s) says what follows and offers what helps', (change, needsAction, next, label) => {
  const mail = renewalFailedEmail({ ...facts, ...change }, { problem: 'Your card was declined.', needsAction });
  expect(mail.subject).toBe(
    needsAction ? 'Confirm the renewal of your Premium plan on Handwise' : 'The renewal of your Premium plan on Handwise was not charged',
  );
  expect(textsOf(mail)).toEqual(['We could not renew your Premium plan. Your card was declined.', next]);
  // Without the day of a charge that has just failed.
  expect(rowsOf(mail).filter((row) => /^(Charged|Renews) on/.test(row))).toEqual([]);
  expect(linksOf(mail)).toEqual([
    ...('canRenew' in change ? [] : ['Add a card']),
    'Switch off renewal',
    `${label}: https://handwise.example/mylistings/mylistings`,
    'How to stop',
  ]);
});

test('a renewal that is charged at once says so, and what a failure would mean', () => {
  const [atOnce, later] = [textsOf(renewalOnEmail(facts, { isAtOnce: true })), textsOf(renewalOnEmail(facts))];
  expect(atOnce[1]).toMatch(/so it is charged at once.* the plan ends on Apr 5, 2027 unless you pay before\.$/);
  expect([atOnce.at(-1), later.at(-1)]).toEqual([
    expect.stringContaining('switch off the next renewal'),
    expect.stringContaining('You can switch it off with one tap'),
  ]);
  expect([atOnce.length, later.length]).toEqual([3, 2]);
});

test.each([
  [true, 'after that, everything is kept and you can reactivate at any time.'],
  [false, 'after that, everything is kept.'],
])('a renewal switched off (can be renewed: %s) says when the plan ends and what then', (canRenew, words) => {
  const [text] = textsOf(renewalOffEmail({ ...facts, canRenew }));
  expect(text?.slice(text.indexOf('The plan and'))).toBe(`The plan and its listings run until Apr 5, 2027; ${words}`);
});

test('a plan that has ended unpaid offers what can be renewed, first by one tap', () => {
  const listings = [
    { id: '1', title: 'Plumber' },
    { id: '2', title: 'Roofer' },
  ];
  const mail = notRenewedEmail(facts, { reason: 'Your card was declined.', listings });
  expect(textsOf(mail)).toEqual([
    'Your Premium plan was going to renew, but it ended on Apr 5, 2027. Your card was declined.',
    'The text, photos and reviews of your listings are kept. Renew now, and people find you again straight away.',
  ]);
  expect(linksOf(mail)).toEqual([
    'Renew for $25.00 NZD: https://handwise.example/reactivateListing/1?step=2',
    'Reactivate “Roofer”: https://handwise.example/reactivateListing/2',
  ]);
  const none = notRenewedEmail(facts, { reason: 'Your card was declined.', listings: [] });
  expect([textsOf(none).at(-1), linksOf(none)]).toEqual([
    'The text, photos and reviews of your listings are kept.',
    ['Open My Listings: https://handwise.example/mylistings/mylistings'],
  ]);
});

test('a free renewal says that nothing was charged, and until when it runs', () => {
  const mail = renewedForFreeEmail(facts);
  expect([mail.subject, mail.preview]).toEqual([
    'Your Premium plan on Handwise is renewed with your free month',
    'It runs until Apr 5, 2027. Nothing was charged.',
  ]);
});
