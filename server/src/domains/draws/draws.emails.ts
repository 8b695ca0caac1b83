import { adminPaths } from '@handwise/contract/admin/paths';
import { formatDate, monthName } from '@handwise/contract/dates';
import { drawTimeZone, claimDays, formatPrizeDollars, payoutDays } from '@handwise/contract/draws/prize';
import { paths } from '@handwise/contract/paths';
import { site } from '@handwise/contract/site/site';
import { formatGreeting } from '../../kit/mail/mail.ts';
import type { Mail, MailBlock } from '../../kit/mail/mail.ts';
import { drawOpeningNote, type Month, type Period } from '../tickets/tickets.service.ts';

/** A draw that has a winner, with its prize. */
type WonDraw = Pick<Period, 'year' | 'month' | 'prizeDollars' | 'permits' | 'leftOut'>;
type Recipient = { to: string; name: string; appUrl: string };
const drawName = ({ year, month }: Month) => monthName(year, month);

const drawReason = () => `You get this email because you have tickets in ${site.name}’s monthly draw.`;

const claimBlocks = ({ appUrl }: Recipient, draw: WonDraw, claimBy: Date): MailBlock[] => [
  {
    kind: 'facts',
    rows: [
      { label: 'Draw', value: drawName(draw) },
      { label: 'Prize', value: formatPrizeDollars(draw.prizeDollars), strong: true },
      { label: 'Claim by', value: formatDate(claimBy, drawTimeZone) },
    ],
  },
  ...drawOpeningNote(draw),
  { kind: 'button', label: 'Claim your prize', url: appUrl + paths.claimPrize },
];

/** `place` 0 was drawn first; others are reserves. */
export const winnerEmail = (reader: Recipient, draw: WonDraw, won: { place: number; claimBy: Date }, foot: MailBlock): Mail => ({
  to: reader.to,
  subject: 'Congratulations! You’ve won the monthly draw',
  preview: `${formatPrizeDollars(draw.prizeDollars)} is yours: tell us where to pay it.`,
  greeting: formatGreeting(reader.name),
  blocks: [
    {
      kind: 'text',
      text:
        won.place === 0
          ? `Your ticket was drawn in the ${drawName(draw)} draw.`
          : `Your ticket was drawn as a reserve in the ${drawName(draw)} draw. The prize could not go to the person drawn before you, so it is yours.`,
    },
    ...claimBlocks(reader, draw, won.claimBy),
    {
      kind: 'text',
      text: `Tell us your bank account within ${claimDays} days, and only on our site: we never ask for it by email or phone. After that, the prize goes to a reserve.`,
    },
    foot,
  ],
  reason: drawReason(),
});

export const reminderEmail = (reader: Recipient, draw: WonDraw, claimBy: Date): Mail => ({
  to: reader.to,
  subject: `Your prize is waiting until ${formatDate(claimBy, drawTimeZone)}`,
  preview: `${formatPrizeDollars(draw.prizeDollars)} is yours: tell us where to pay it.`,
  greeting: formatGreeting(reader.name),
  blocks: [
    { kind: 'text', text: `You won the ${drawName(draw)} draw but haven’t told us where to pay the prize yet.` },
    ...claimBlocks(reader, draw, claimBy),
    { kind: 'text', text: 'After that day, the prize goes to a reserve.' },
  ],
  reason: drawReason(),
});

export const struckEmail = (reader: Recipient, draw: Month, reason: string): Mail => ({
  to: reader.to,
  subject: `Your prize in the ${drawName(draw)} draw`,
  preview: 'It is going to somebody else. Here is why.',
  greeting: formatGreeting(reader.name),
  blocks: [
    { kind: 'text', text: `The prize in the ${drawName(draw)} draw is no longer yours. The reason:` },
    { kind: 'quote', text: reason },
    { kind: 'text', text: 'No other entry of yours can win this draw.' },
    { kind: 'text', text: 'Do you think this is wrong? Write to us straight away.' },
    { kind: 'button', label: 'Contact us', url: reader.appUrl + paths.contact },
  ],
  reason: drawReason(),
});

export const paidEmail = (reader: Recipient, draw: WonDraw, currency: string): Mail => ({
  to: reader.to,
  subject: 'Your prize has been paid',
  preview: 'It should be in your account within a few days.',
  greeting: formatGreeting(reader.name),
  blocks: [
    { kind: 'text', text: `We have paid your prize from the ${drawName(draw)} draw into the bank account that you gave us.` },
    { kind: 'facts', rows: [{ label: 'Paid', value: `${formatPrizeDollars(draw.prizeDollars)} ${currency}`, strong: true }] },
    { kind: 'text', text: 'Your bank may take a few days to show it. If it doesn’t arrive, tell us.' },
    { kind: 'button', label: 'Contact us', url: reader.appUrl + paths.contact },
  ],
  reason: drawReason(),
});

/** To the operator. Emails never contain bank details. */
export const claimWaitingEmail = (to: string, appUrl: string, draw: Month): Mail => ({
  to,
  subject: `${site.name}: the ${drawName(draw)} prize is waiting to be paid`,
  preview: 'The winner has told us their bank account.',
  blocks: [
    { kind: 'text', text: `The winner of the ${drawName(draw)} draw has submitted payment details.` },
    { kind: 'button', label: 'Draw management', url: appUrl + adminPaths.drawManagement },
    { kind: 'note', text: `Pay within ${payoutDays.from} to ${payoutDays.to} business days, then press Process Payment.` },
  ],
});
