import { clocksName, clockText, dateText } from '@handwise/contract/dates';
import { counted } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { prizeText } from '@handwise/contract/draws/prize';
import { lapseDays } from '@handwise/contract/referrals/calls';
import { drawTimeZone } from '@handwise/contract/tickets/calls';
import { greetingOf, type Mail, type MailBlock } from '../../kit/mail/mail.ts';
import { ticketMailFoot } from '../tickets/tickets.service.ts';

export type MailReader = { to: string; name: string; appUrl: string };
/** One of the two people of a referral. */
export type Concerned = MailReader & { id: string; role: 'referrer' | 'referred' };
export type Hold = { held_because: string; held_at: Date; held_until: Date; held_lapses: boolean };
/** What was taken back of each person, and the head of the log that says so where there were tickets. */
export type Taken = { tickets: ReadonlyMap<string, number>; freeMonths: ReadonlyMap<string, number>; head: string | undefined };
/** Why somebody decided; `by`: the administrator, or null where it follows from a rule. */
export type DecisionReason = { by: string | null; reason: string };
type Ending = MailReader & { end: NonNullable<Mail['end']> };

/** Whoever has a code could be sent mails by anybody who signs up with it. */
const perHour = 5;

const countOf = (tickets: number) => counted(tickets, 'ticket');
const button = ({ appUrl }: MailReader): MailBlock => ({
  kind: 'button',
  label: 'View Referral Dashboard',
  url: appUrl + paths.referral,
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

/** What the two people of a referral call it. */
const getNamesById = {
  referrer: { one: 'One of your referrals', its: 'Its rewards' },
  referred: {
    one: 'Your sign-up with a referral code',
    its: 'Its ticket and your free first month',
  },
} as const;

const reasonText = ({ by, reason }: DecisionReason) => `${by === null ? 'The reason' : 'The administrator’s reason'}: ${reason}`;

/** To both: why a referral waits, until when, and how to object. */
export const heldMail = (reader: Concerned, { held_because: because, held_until: until, held_lapses: lapses }: Hold): Mail => {
  const { one, its } = getNamesById[reader.role];
  const day = dateText(until, drawTimeZone);
  const own = reader.role === 'referred' ? 'you pay for a plan with a card' : 'the new account pays for a plan with a card';
  return {
    to: reader.to,
    subject: `${one} is being checked`,
    preview: `${its} wait for an administrator.`,
    greeting: greetingOf(reader.name),
    blocks: [
      { kind: 'text', text: `${one} is being checked. ${its} wait for an administrator. The reason: ${because}` },
      {
        kind: 'text',
        text: lapses
          ? `It counts at once if ${own} that no connected account uses. If nobody has decided by ${day}, it lapses and earns nothing.`
          : `If nobody has decided by ${day}, it counts and the tickets are issued then.`,
      },
      ...objecting(reader),
    ],
    limit: { kind: 'referral.held', perHour },
  };
};

export const approvedMail = (reader: Concerned, decision: DecisionReason): Mail => {
  const { one } = getNamesById[reader.role];
  return {
    to: reader.to,
    subject: reader.role === 'referrer' ? 'Your referral counts' : `${one} counts`,
    preview: 'Its rewards have been issued.',
    greeting: greetingOf(reader.name),
    blocks: [
      { kind: 'text', text: `${one}, which we had to check, counts. Its rewards have been issued.` },
      { kind: 'text', text: reasonText(decision) },
      button(reader),
    ],
    limit: { kind: 'referral.decided', perHour },
  };
};

/** A referral does not count: by a rule, or because nobody decided. */
export const refusedMail = (reader: Concerned, because: string): Mail => refusal(reader, [`The reason: ${because}`]);
export const lapsedMail = (reader: Concerned, because: string): Mail =>
  refusal(reader, [`We had to check it, and nobody decided within ${lapseDays} days. It was held for this reason: ${because}`]);

/** An administrator ended a referral, and took back what it had brought. */
export function takenBackMail(reader: Concerned, decision: DecisionReason, { tickets, freeMonths, head }: Taken): Mail {
  const [ownTickets, ownMonths] = [tickets.get(reader.id) ?? 0, freeMonths.get(reader.id) ?? 0];
  const taken = [
    ...(ownTickets > 0 ? [`${countOf(ownTickets)} from it ${ownTickets === 1 ? 'takes' : 'take'} no part in the draw any more.`] : []),
    ...(ownMonths > 0 ? ['The free month from it can no longer be used.'] : []),
  ];
  const mail = refusal(reader, [reasonText(decision), ...(taken.length > 0 ? [taken.join(' ')] : [])]);
  return head === undefined || ownTickets === 0 ? mail : { ...mail, blocks: [...mail.blocks, ticketMailFoot(head)] };
}

const refusal = (reader: Concerned, reasons: readonly string[]): Mail => {
  const { one } = getNamesById[reader.role];
  return {
    to: reader.to,
    subject: `${one} does not count`,
    preview: 'It earns no rewards.',
    greeting: greetingOf(reader.name),
    blocks: [
      { kind: 'text', text: `${one} does not count and earns no rewards.` },
      ...reasons.map((text) => ({ kind: 'text', text }) as const),
      ...objecting(reader),
    ],
    limit: { kind: 'referral.decided', perHour },
  };
};
