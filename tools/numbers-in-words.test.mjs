// A number that a sentence tells people has a constant that the product goes by (docs/words.md). Here the sentences are read for others.
import { payoutDays, prizeText, ticketsOf } from '@handwise/contract/prize';
import { counted } from '@handwise/contract/numbers';
import { expect, test } from 'vitest';
import { textsOf, writtenTexts } from './texts.mjs';

/**
 * The specification gives these whole, so they are written whole. They are told here from the constants: where one changes, its text is no
 * longer found, and stands in the product as one that has no constant.
 */
const specified = [
  `Someone just signed up using your referral code! You've earned ${counted(ticketsOf.signup, 'ticket')} for the ${prizeText} monthly draw.`,
  `Someone just created a listing using your referral code! You've earned ${counted(ticketsOf.listing, 'ticket')} for the ${prizeText} monthly draw.`,
  `Valid code! You'll receive ${counted(ticketsOf.signup, 'draw ticket')}.`,
  `Signup (${counted(ticketsOf.signup, 'Ticket')})`,
  `Listing (${counted(ticketsOf.listing, 'Ticket')})`,
  `Every time someone uses your code, you can choose between a free month or ${counted(ticketsOf.listing, 'draw entry', 'draw entries')}!`,
  `We'll process your payment within ${payoutDays.from}-${payoutDays.to} business days.`,
  `Processing takes ${payoutDays.from}-${payoutDays.to} business days.`,
];

const besides = 'its rule is on the same line';
const promise = 'people keep this promise, no code does, and it is made once';
const world = 'a fact of the world outside';
const said = 'no limit, a way of saying it';
/** Other numbers that may be written by hand: a part of the text, its file, and why. An entry that nothing needs is refused. */
const allowed = [
  ['exactly 10 digits', 'contract/src/account-profile.ts', besides],
  ['a million dollars', 'contract/src/admin-payments.ts', besides],
  ['8 to 100 letters', 'contract/src/selling-forms.ts', besides],
  ['the 32 digits of the entry', 'contract/src/tickets.ts', besides],
  ['5 to 10 days', 'contract/src/periods.ts', 'the constant'],
  ['11:30 pm', 'contract/src/prize.ts', 'the constant'],
  ['0 minutes', 'contract/src/reply-time.ts', 'a table of numbers and their words'],
  [/^\d hours$/, 'contract/src/reply-time.ts', 'a table of numbers and their words'],
  [/^\d days$/, 'contract/src/reply-time.ts', 'a table of numbers and their words'],
  ['Within two weeks', 'contract/src/quote-words.ts', 'what somebody chooses'],
  ['Premium plan, 30 days', 'contract/src/payments.ts', 'an example of an answer'],
  ['Featured $35.00 less $12.50 for 15 unused days', 'contract/src/selling.ts', 'an example of an answer'],
  ['Server logs: up to 90 days', 'web/app/pages/site/privacy.tsx', promise],
  ['within 20 working days', 'web/app/pages/site/privacy.tsx', promise],
  ['told 30 days beforehand', 'web/app/pages/site/terms.tsx', promise],
  ['within two working days', 'web/app/domains/site/contact-form.tsx', promise],
  ['last four digits', 'web/app/pages/site/privacy.tsx', world],
  ['last four digits', 'web/app/domains/payments/cards/add-card-form.tsx', world],
  ['4 digits', 'web/app/domains/payments/providers/sandbox-card-field.tsx', world],
  ['a BSB of six digits', 'contract/src/account-number.ts', world],
  ['a time such as 07:30', 'contract/src/evidence.ts', 'how a time is typed'],
  ['a time such as 17:00', 'contract/src/evidence.ts', 'how a time is typed'],
  ['answered in 2 hours', 'web/app/pages/site/reviews-policy.tsx', 'an example of a review'],
  ['with 35 reviews of 5', 'web/app/pages/site/reviews-policy.tsx', 'an example whose score is worked out beside it'],
  ['visits on two days counts twice', 'web/app/domains/figures/figures-view.ts', said],
  ['behind two entries', 'web/app/domains/draws/draw-page.tsx', said],
  ['Three of the listings', 'web/app/domains/site/landing-hero.tsx', 'a drawing with room for three'],
];

const number = String.raw`\d+(?:[.,]\d+)*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|sixty|ninety|hundred|million`;
const noun =
  `tickets?|entry|entries|seconds?|minutes?|hours?|days?|weeks?|months?|years?|businesses|others|pros|characters?|letters|digits|colours|searches
  |listings?|districts|services|photos?|pictures?|files?|alerts?|reviews?|kilometres|megapixels|dollars`.replace(/\s+/g, '');
// Beside a noun, at most three words before it; of a ticket also "1" and "one", which else only begin a sentence about a single thing.
// Besides, dollars and times of day.
const written = new RegExp(
  String.raw`(?<![\w.:…]|(?<!\d)-)(?!1 )(?:${number})(?:[ -](?!(?:${number})\b)[\p{L}’]+){0,3}?[ -](?:${noun})(?![\w-])` +
    String.raw`|(?<![\w.])1 (?:\w+ )?tickets?\b|\b(?:gets?|earns?) one (?:\w+ )?ticket|(?<![\w(])\$\d` +
    String.raw`|(?<![\w:.-])\d{1,2}(?:[:.]\d\d)? ?[ap]m\b|(?<![\w:.-])[0-2]?\d:[0-5]\d(?![\w:])`,
  'iu',
);

const texts = writtenTexts(['server/src/domains/**/*.ts']);
const handwritten = texts.filter(
  // What others wrote: searches, laws.
  ({ file, text }) => !/\/search\/(?:classifier|understanding)\/|promotion-rules/.test(file) && written.test(text),
);

const isPart = (part, text) => (part instanceof RegExp ? part.test(text) : text.includes(part));
const allows = ([part, where], { file, text }) => file === where && isPart(part, text);

test('no page, error, email or description of the API tells a number by hand that has, or should have, a constant', () => {
  expect(
    handwritten
      .filter((one) => !specified.includes(one.text) && !allowed.some((entry) => allows(entry, one)))
      .map(({ file, text }) => `${file}: ${text}`),
  ).toEqual([]);
  expect(
    allowed.filter((entry) => !handwritten.some((one) => allows(entry, one))).map(([part, file]) => `nothing needs ${file}: ${part}`),
  ).toEqual([]);
});

test('what the specification gives whole tells the prize, the tickets and the days of the constants', () => {
  const known = new Set(texts.map(({ text }) => text));
  expect(specified.filter((text) => !known.has(text))).toEqual([]);
});

test.each([
  ['<p>for the $1,000 monthly draw</p>', true],
  ['<p>you get one ticket and so does she</p>', true],
  ['<p>gets 5 more tickets</p>', true],
  ['<p title="Ask up to three home and trade businesses">x</p>', true],
  ['<p>We ask again every\n  90 days. A business</p>', true],
  ['const a = `For 30 minutes you see ${b}`;', true],
  ['const a = "in 5 to 10 days";', true],
  ['const a = "within 3-5 business days";', true],
  ['<p>Entries close at 23:30 New Zealand time</p>', true],
  ['const a = `closes on ${b} at 11:30 pm`;', true],
  ['const a = `a tap at ${b}, not x:10 or 2026-11-30T10:30:00Z`;', false],
  ['<p>for {subscriptionDays} days and {inWords(three)} businesses</p>', false],
  ['const a = `${count} tickets, 3-D Secure ${n}-5 days`;', false],
  ['const a = "1 new listing, one of the businesses, 1-year-old";', false],
])('of %s is told whether it is written by hand', (source, is) => {
  expect(textsOf(source, true).some((text) => written.test(text))).toBe(is);
});
