import { expect, test } from 'vitest';
import { listingLiveEmail, listingsEndedEmail, listingsEndingEmail } from './selling.emails.ts';

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
