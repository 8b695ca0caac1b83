import { expect, test } from 'vitest';
import {
  availabilityEndsEmail,
  listingLiveEmail,
  listingsEndedEmail,
  listingsEndingEmail,
  planReturnedEmail,
  renewalReturnedEmail,
} from './selling.emails.ts';

const reader = { to: 'mere@example.org', name: 'Mere Kīngi', appUrl: 'https://handwise.example' };
const auckland = 'Pacific/Auckland';
const plumber = { id: '1', title: 'Plumber', timeZone: auckland, isOpen: true };
const roofer = { id: '2', title: 'Roofer', timeZone: auckland, isOpen: true };
// 18:00 on the 15th in Auckland.
const end = new Date('2027-01-15T05:00:00Z');
const linksOf = ({ blocks }: ReturnType<typeof listingsEndedEmail>) =>
  blocks.flatMap((block) => (block.kind === 'button' ? [`${block.label} ${block.url}`] : []));

test.each([
  ['2027-01-08T05:00:00Z', 'in 7 days'],
  ['2027-01-13T10:59:00Z', 'in 2 days'],
  ['2027-01-13T11:00:00Z', 'tomorrow'],
  ['2027-01-14T10:59:00Z', 'tomorrow'],
  ['2027-01-14T11:00:00Z', 'today'],
])('at %s the email says that the listing ends %s', (now, when) => {
  expect(listingsEndingEmail(reader, [plumber], end, new Date(now)).subject).toBe(`Your listing on Handwise ends ${when}`);
});

test('greets the reader, links to the plans and lists reactivation links', () => {
  const mail = listingsEndingEmail(reader, [plumber, roofer], end, new Date('2027-01-08T05:00:00Z'));
  expect(mail).toMatchObject({ to: 'mere@example.org', greeting: 'Kia ora Mere', preview: 'The plan runs until Jan 15, 2027.' });
  expect(mail.subject).toBe('Your 2 listings on Handwise end in 7 days');
  expect(linksOf(mail)).toEqual([
    'Choose a plan https://handwise.example/updatePlan/1',
    'Reactivate “Plumber” https://handwise.example/reactivateListing/1',
    'Reactivate “Roofer” https://handwise.example/reactivateListing/2',
  ]);
});

test('uses the right number and lists reactivation links after the end', () => {
  expect(listingsEndedEmail(reader, [plumber]).subject).toBe('Your listing on Handwise has ended');
  const mail = listingsEndedEmail(reader, [plumber, roofer]);
  expect(mail).toMatchObject({
    to: 'mere@example.org',
    subject: 'Your 2 listings on Handwise have ended',
    preview: 'Everything is kept, and you can reactivate at any time.',
    greeting: 'Kia ora Mere',
  });
  expect(linksOf(mail)).toEqual([
    'Reactivate “Plumber” https://handwise.example/reactivateListing/1',
    'Reactivate “Roofer” https://handwise.example/reactivateListing/2',
  ]);
});

test('formats the end in the listing’s time zone', () => {
  const late = new Date('2027-01-15T14:00:00Z');
  const runsUntil = (timeZone: string) =>
    listingLiveEmail(reader, { id: '1', title: 'Plumber', number: 1001, planName: 'Basic', endsAt: late, timeZone }).blocks.flatMap(
      (block) => (block.kind === 'facts' ? block.rows.filter(({ label }) => label === 'Runs until').map(({ value }) => value) : []),
    );
  expect([runsUntil('Australia/Perth'), runsUntil('Australia/Sydney')]).toEqual([['Jan 15, 2027'], ['Jan 16, 2027']]);
});

const textsOf = ({ blocks }: ReturnType<typeof listingsEndedEmail>) =>
  blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []));
const closed = { ...roofer, isOpen: false };
const closedNote = 'We take no listings of this trade or in this country at the moment, so it cannot be started again.';
const toOwn = 'See my listings https://handwise.example/mylistings/mylistings';

test('what is of a closed trade or country is not offered again, neither before nor after the end', () => {
  const before = listingsEndingEmail(reader, [closed], end, new Date('2027-01-08T05:00:00Z'));
  expect([textsOf(before).at(-1), linksOf(before)]).toEqual([`After that, everything is kept. ${closedNote}`, [toOwn]]);
  const after = listingsEndedEmail(reader, [closed]);
  expect(after.preview).toBe('Everything is kept.');
  expect([textsOf(after), linksOf(after)]).toEqual([[expect.stringContaining(`reviews are kept. ${closedNote}`)], [toOwn]]);
  // Beside an open one, only that is offered.
  expect(linksOf(listingsEndedEmail(reader, [closed, plumber]))).toEqual([
    'Reactivate “Plumber” https://handwise.example/reactivateListing/1',
  ]);
});

test('listings that end on different dates are named with theirs', () => {
  const late = new Date('2027-01-15T14:00:00Z');
  const perth = { ...roofer, timeZone: 'Australia/Perth' };
  expect(textsOf(listingsEndingEmail(reader, [plumber, perth], late, new Date('2027-01-08T05:00:00Z')))[0]).toBe(
    'The plan for “Plumber” runs until Jan 16, 2027. The plan for “Roofer” runs until Jan 15, 2027. Nothing renews by itself, and nothing is charged.',
  );
});

test.each([
  [[plumber], 'Your listing is no longer shown, but is kept as it is. With a new plan it is back straight away.', 'Reactivate “Plumber”'],
  [
    [plumber, closed],
    'Your 2 listings are no longer shown, but are kept as they are. With a new plan they are back straight away.',
    'Reactivate “Plumber”',
  ],
  [[closed], `Your listing is no longer shown, but is kept as it is. ${closedNote}`, 'See my listings'],
  [[], undefined, 'See my listings'],
])('a plan whose payment goes back says what becomes of its listings', (listings, words, label) => {
  const mail = planReturnedEmail(reader, { planName: 'Premium', listings, reason: 'So agreed.' });
  expect(mail.subject).toBe('Your Premium plan on Handwise has ended and its payment is being refunded');
  expect(textsOf(mail)).toEqual([expect.stringContaining('The reason: So agreed.'), ...(words === undefined ? [] : [words])]);
  expect(linksOf(mail)).toEqual([expect.stringContaining(label)]);
});

test('a renewal whose payment goes back says until when the paid plan runs', () => {
  const mail = renewalReturnedEmail(reader, { planName: 'Premium', reason: 'So agreed.', endsOn: 'Jan 15, 2027' });
  expect(mail.subject).toBe('The renewal of your Premium plan on Handwise has ended and its payment is being refunded');
  expect(textsOf(mail)).toEqual([
    expect.stringContaining('does not renew any more. The reason: So agreed.'),
    'The plan and its listings run until Jan 15, 2027, as you paid for them.',
  ]);
});

test('the question for the next week says of each listing whether its week is over', () => {
  const week = { nextWeek: '2027-01-18', timeZone: auckland };
  const over = { ...plumber, ...week, availability: { state: 'this_week', until: '2027-01-17' }, hasEnded: true } as const;
  const tonight = { ...roofer, ...week, availability: { state: 'booked_until', until: '2027-01-17' }, hasEnded: false } as const;
  const mail = availabilityEndsEmail(reader, [over, tonight]);
  expect(mail).toMatchObject({
    subject: 'Do you have time in the week of Jan 18, 2027?',
    preview: 'Available this week is over on “Plumber”.',
    onlyIf: { check: 'week_ahead', key: '2027-01-18 Pacific/Auckland' },
  });
  expect(textsOf(mail)[0]).toMatch(/^What your listings say /);
  expect(mail.blocks).toContainEqual({
    kind: 'facts',
    rows: [
      { label: 'Plumber', value: 'Available this week, which is over' },
      { label: 'Roofer', value: 'Booked until Jan 17, 2027, which ends tonight' },
    ],
  });
  expect(linksOf(mail)).toEqual([
    'Say when you have time for “Plumber” https://handwise.example/mylistings/mylistings?listing=1&week=2027-01-18',
    'Say when you have time for “Roofer” https://handwise.example/mylistings/mylistings?listing=2&week=2027-01-18',
  ]);
  const alone = availabilityEndsEmail(reader, [tonight]);
  expect([alone.preview, textsOf(alone)[0]]).toEqual([
    'Booked until Jan 17, 2027 ends tonight on “Roofer”.',
    expect.stringMatching(/^What your listing says /),
  ]);
});
