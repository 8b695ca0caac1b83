import { clocksName, clockText, dateText } from '@handwise/contract/dates';
import { counted } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { prizeText } from '@handwise/contract/prize';
import { drawTimeZone } from '@handwise/contract/tickets';
import { greetingOf } from '../../kit/mail/mail-words.ts';
import type { Mail, MailBlock } from '../../kit/mail/mail.ts';
import { ticketMailFoot } from '../tickets/tickets.service.ts';

export type MailReader = { to: string; name: string; appUrl: string };
type Ending = MailReader & { end: NonNullable<Mail['end']> };

/** Whoever has a code could be sent mails by anybody who signs up with it. */
const perHour = 5;

const countOf = (tickets: number) => counted(tickets, 'ticket');
const button = ({ appUrl }: MailReader): MailBlock => ({
  kind: 'button',
  label: 'View Referral Dashboard',
  url: appUrl + paths.referralDashboard,
});
const confirmed: MailBlock = {
  kind: 'note',
  text: 'A ticket only takes part in the draw if its account’s email address is confirmed by then.',
};

/** For what somebody gets tickets, and how that is said. */
const occasions = {
  signup: { subject: 'You have a ticket for the monthly draw', text: 'You signed up with a referral code.' },
  code_used: { subject: 'Somebody signed up with your referral code', text: 'Somebody signed up using your referral code.' },
  listing: {
    subject: 'Somebody you referred has a live listing',
    text: 'The first listing of somebody who used your referral code is live.',
  },
} as const;
export type Occasion = keyof typeof occasions;

/** Tickets that somebody got. `head` is the signed head of the log that has them. */
export function ticketsMail(reader: Ending, got: { occasion: Occasion; tickets: number; closesAt: Date; head: string }): Mail {
  const { subject, text } = occasions[got.occasion];
  return {
    to: reader.to,
    subject,
    preview: `${countOf(got.tickets)} for the ${prizeText} monthly draw.`,
    greeting: greetingOf(reader.name),
    blocks: [
      {
        kind: 'text',
        text: `${text} You have earned ${countOf(got.tickets)} for the ${prizeText} monthly draw, which closes on ${dateText(got.closesAt, drawTimeZone)} at ${clockText(got.closesAt, drawTimeZone)} ${clocksName(drawTimeZone)}.`,
      },
      ...(got.occasion === 'listing'
        ? [
            {
              kind: 'text',
              text: `Until then you can swap the ${countOf(got.tickets)} for a free month on your dashboard.`,
            } as const,
          ]
        : []),
      button(reader),
      confirmed,
      ticketMailFoot(got.head),
    ],
    limit: { kind: 'referral.tickets', perHour },
    end: reader.end,
    reason: 'You get this email because of a referral code.',
  };
}

/** Tickets that somebody swapped for a free month. */
export const swappedMail = (reader: MailReader, tickets: number, head: string): Mail => ({
  to: reader.to,
  subject: 'You have a free month',
  preview: 'It pays for a plan before any card is charged.',
  greeting: greetingOf(reader.name),
  blocks: [
    {
      kind: 'text',
      text: `You chose a free month instead of ${countOf(tickets)}: they no longer take part in the draw. The free month pays for your next new plan or for a listing that you bring back, before any card is charged. It has no end date and no cash value.`,
    },
    button(reader),
    ticketMailFoot(head),
  ],
});

const objecting = ({ appUrl }: MailReader): MailBlock[] => [
  { kind: 'text', text: 'If you think we are wrong, tell us why: an administrator will read it and answer.' },
  { kind: 'button', label: 'Object', url: appUrl + paths.contact },
];

/** To both: why a referral waits, until when, and how to object. */
export const heldMail = (reader: MailReader, because: string, until: Date): Mail => ({
  to: reader.to,
  subject: 'One of your referrals is being checked',
  preview: 'Its rewards are waiting for an administrator.',
  greeting: greetingOf(reader.name),
  blocks: [
    { kind: 'text', text: `The rewards of one of your referrals are waiting for an administrator. The reason: ${because}` },
    { kind: 'text', text: `If nobody has decided by ${dateText(until, drawTimeZone)}, it counts and the tickets are issued then.` },
    ...objecting(reader),
  ],
  limit: { kind: 'referral.held', perHour },
});

export const approvedMail = (reader: MailReader, reason: string): Mail => ({
  to: reader.to,
  subject: 'Your referral counts',
  preview: 'Its rewards have been issued.',
  greeting: greetingOf(reader.name),
  blocks: [
    { kind: 'text', text: `One of your referrals, which we had to check, counts. Its rewards have been issued. ${reason}` },
    button(reader),
  ],
  limit: { kind: 'referral.decided', perHour },
});

export const refusedMail = (reader: MailReader, reason: string): Mail => ({
  to: reader.to,
  subject: 'One of your referrals does not count',
  preview: 'It earns no rewards.',
  greeting: greetingOf(reader.name),
  blocks: [
    { kind: 'text', text: `One of your referrals does not count and earns no rewards. The reason: ${reason}` },
    ...objecting(reader),
  ],
  limit: { kind: 'referral.decided', perHour },
});
