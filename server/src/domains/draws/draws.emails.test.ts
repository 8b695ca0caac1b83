import { expect, test } from 'vitest';
import type { Mail, MailBlock } from '../../kit/mail/mail.ts';
import { claimWaitingEmail, paidEmail, reminderEmail, struckEmail, winnerEmail } from './draws.emails.ts';

const reader = { to: 'mere@example.org', name: 'Mere Kīngi', appUrl: 'https://handwise.example' };
const draw = { year: 2031, month: 6, prizeDollars: 1_000, permits: [], leftOut: [] };
// The 31st in New Zealand.
const claimBy = new Date('2031-07-30T13:00:00Z');
const foot: MailBlock = { kind: 'note', text: 'head' };
const textsOf = ({ blocks }: Mail) => blocks.flatMap((block) => ('text' in block ? [block.text] : []));
const rowsOf = ({ blocks }: Mail) =>
  blocks.flatMap((block) => (block.kind === 'facts' ? block.rows.map(({ label, value }) => `${label}: ${value}`) : []));
const linksOf = ({ blocks }: Mail) => blocks.flatMap((block) => (block.kind === 'button' ? [`${block.label}: ${block.url}`] : []));

test.each([
  [0, 'Your ticket was drawn in the June 2031 draw.'],
  [1, 'Your ticket was drawn as a reserve in the June 2031 draw. The prize could not go to the person drawn before you, so it is yours.'],
  [5, expect.stringContaining('drawn as a reserve')],
])('the winner who was drawn in place %i reads how, and until when to claim', (place, words) => {
  const mail = winnerEmail(reader, draw, { place, claimBy }, foot);
  expect(mail).toMatchObject({ to: 'mere@example.org', subject: 'Congratulations! You’ve won the monthly draw', greeting: 'Kia ora Mere' });
  expect(textsOf(mail)).toEqual([words, expect.stringContaining('Tell us your bank account within 30 days, and only on our site'), 'head']);
  expect(rowsOf(mail)).toEqual(['Draw: June 2031', 'Prize: $1,000', 'Claim by: Jul 31, 2031']);
  expect(linksOf(mail)).toEqual(['Claim your prize: https://handwise.example/referral/claim-prize']);
});

test('the reminder names the last day, in the subject too', () => {
  const mail = reminderEmail(reader, draw, claimBy);
  expect(mail.subject).toBe('Your prize is waiting until Jul 31, 2031');
  expect(rowsOf(mail)).toContain('Claim by: Jul 31, 2031');
  expect(textsOf(mail).at(-1)).toBe('After that day, the prize goes to a reserve.');
});

test('whoever loses the prize reads why, and whom to ask', () => {
  const mail = struckEmail(reader, draw, 'The ticket was bought.');
  expect(mail).toMatchObject({ to: 'mere@example.org', subject: 'Your prize in the June 2031 draw' });
  expect(mail.blocks).toContainEqual({ kind: 'quote', text: 'The ticket was bought.' });
  expect(linksOf(mail)).toEqual(['Contact us: https://handwise.example/contact']);
});

test('a paid prize is named with its currency', () => {
  const mail = paidEmail(reader, draw, 'AUD');
  expect([mail.subject, rowsOf(mail)]).toEqual(['Your prize has been paid', ['Paid: $1,000 AUD']]);
});

test('the operator reads in how many days to pay, and where to record it', () => {
  const mail = claimWaitingEmail('help@handwise.example', 'https://handwise.example', draw);
  expect(mail).toMatchObject({ to: 'help@handwise.example', subject: 'Handwise: the June 2031 prize is waiting to be paid' });
  expect(textsOf(mail).at(-1)).toBe('Pay within 3 to 5 business days, then press Process Payment.');
  expect(linksOf(mail)).toEqual(['Draw management: https://handwise.example/admin/draw-management']);
});
