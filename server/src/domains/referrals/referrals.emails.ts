import { formatTimeZone, formatClock, formatDate } from '@handwise/contract/dates';
import { drawTimeZone, formatPrizeDollars } from '@handwise/contract/draws/prize';
import { counted } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { lapseDays } from '@handwise/contract/referrals/holds';
import { formatGreeting } from '../../kit/mail/mail.ts';
import type { Mail, MailBlock } from '../../kit/mail/mail.ts';
import { drawOpeningNote, type Period, ticketEmailFooter } from '../tickets/tickets.service.ts';

export type EmailRecipient = { to: string; name: string; appUrl: string };
/** One of the two people of a referral. */
export type ReferralRecipient = EmailRecipient & { id: string; role: 'referrer' | 'referred' };
export type Hold = { held_because: string; held_at: Date; held_until: Date; held_lapses: boolean };
/** What was voided per person, and the log head that covers it if there were tickets. */
export type VoidedRewards = { tickets: ReadonlyMap<string, number>; freeMonths: ReadonlyMap<string, number>; head: string | undefined };
/** `by` is the administrator, or null for a decision by rule. */
export type DecisionReason = { by: string | null; reason: string };
type Unsubscribable = EmailRecipient & { end: NonNullable<Mail['end']> };

/** Limits the emails that sign-ups with a code can cause. */
const perHour = 5;

const ticketCount = (tickets: number) => counted(tickets, 'ticket');
const button = ({ appUrl }: EmailRecipient): MailBlock => ({
  kind: 'button',
  label: 'View Referral Dashboard',
  url: appUrl + paths.referral,
});
const confirmedNote: MailBlock = {
  kind: 'note',
  text: 'A ticket only takes part in the draw if its account’s email address is confirmed by then.',
};

const occasions = {
  signup: { subject: 'You have a ticket for the monthly draw', text: 'You signed up with a referral code.' },
  code_used: { subject: 'Somebody signed up with your referral code', text: 'Somebody signed up using your referral code.' },
  listing: {
    subject: 'Somebody you referred has a live listing',
    text: 'The first listing of somebody who used your referral code is live.',
  },
} as const;
export type Occasion = keyof typeof occasions;

/** `head` is the signed log head that includes the tickets. */
export function ticketsEmail(
  reader: Unsubscribable,
  reward: { occasion: Occasion; tickets: number; draw: Pick<Period, 'closesAt' | 'prizeDollars' | 'permits' | 'leftOut'>; head: string },
): Mail {
  const { subject, text } = occasions[reward.occasion];
  const { closesAt } = reward.draw;
  const prize = formatPrizeDollars(reward.draw.prizeDollars);
  return {
    to: reader.to,
    subject,
    preview: `${ticketCount(reward.tickets)} for the ${prize} monthly draw.`,
    greeting: formatGreeting(reader.name),
    blocks: [
      {
        kind: 'text',
        text: `${text} You have earned ${ticketCount(reward.tickets)} for the ${prize} monthly draw, which closes on ${formatDate(closesAt, drawTimeZone)} at ${formatClock(closesAt, drawTimeZone)} ${formatTimeZone(drawTimeZone)}.`,
      },
      ...(reward.occasion === 'listing'
        ? [
            {
              kind: 'text',
              text: `Until then you can swap the ${ticketCount(reward.tickets)} for a free month on your dashboard.`,
            } as const,
          ]
        : []),
      button(reader),
      confirmedNote,
      ...drawOpeningNote(reward.draw),
      ticketEmailFooter(reward.head),
    ],
    limit: { kind: 'referral.tickets', perHour },
    end: reader.end,
    reason: 'You get this email because of a referral code.',
  };
}

export const swappedEmail = (reader: EmailRecipient, tickets: number, head: string): Mail => ({
  to: reader.to,
  subject: 'You have a free month',
  preview: 'It pays for a plan before any card is charged.',
  greeting: formatGreeting(reader.name),
  blocks: [
    {
      kind: 'text',
      text: `You chose a free month instead of ${ticketCount(tickets)}: they no longer take part in the draw. The free month pays for your next new plan or for a listing that you bring back, before any card is charged. It has no end date and no cash value.`,
    },
    button(reader),
    ticketEmailFooter(head),
  ],
});

const objectionBlocks = ({ appUrl }: EmailRecipient): MailBlock[] => [
  { kind: 'text', text: 'If you think we are wrong, tell us why: an administrator will read it and answer.' },
  { kind: 'button', label: 'Object', url: appUrl + paths.contact },
];

const namesOf = {
  referrer: { one: 'One of your referrals', its: 'Its rewards' },
  referred: {
    one: 'Your sign-up with a referral code',
    its: 'Its ticket and your free first month',
  },
} as const;

const formatReason = ({ by, reason }: DecisionReason) => `${by === null ? 'The reason' : 'The administrator’s reason'}: ${reason}`;

export const heldEmail = (reader: ReferralRecipient, { held_because: because, held_until: until, held_lapses: lapses }: Hold): Mail => {
  const { one, its } = namesOf[reader.role];
  const day = formatDate(until, drawTimeZone);
  const own = reader.role === 'referred' ? 'you pay for a plan with a card' : 'the new account pays for a plan with a card';
  return {
    to: reader.to,
    subject: `${one} is being checked`,
    preview: `${its} wait for an administrator.`,
    greeting: formatGreeting(reader.name),
    blocks: [
      { kind: 'text', text: `${one} is being checked. ${its} wait for an administrator. The reason: ${because}` },
      {
        kind: 'text',
        text: lapses
          ? `It counts at once if ${own} that no connected account uses. If nobody has decided by ${day}, it lapses and earns nothing.`
          : `If nobody has decided by ${day}, it counts and the tickets are issued then.`,
      },
      ...objectionBlocks(reader),
    ],
    limit: { kind: 'referral.held', perHour },
  };
};

export const approvedEmail = (reader: ReferralRecipient, decision: DecisionReason): Mail => {
  const { one } = namesOf[reader.role];
  return {
    to: reader.to,
    subject: reader.role === 'referrer' ? 'Your referral counts' : `${one} counts`,
    preview: 'Its rewards have been issued.',
    greeting: formatGreeting(reader.name),
    blocks: [
      { kind: 'text', text: `${one}, which we had to check, counts. Its rewards have been issued.` },
      { kind: 'text', text: formatReason(decision) },
      button(reader),
    ],
    limit: { kind: 'referral.decided', perHour },
  };
};

export const refusedEmail = (reader: ReferralRecipient, because: string): Mail => notCountedEmail(reader, [`The reason: ${because}`]);
export const lapsedEmail = (reader: ReferralRecipient, because: string): Mail =>
  notCountedEmail(reader, [`We had to check it, and nobody decided within ${lapseDays} days. It was held for this reason: ${because}`]);

export function rewardsVoidedEmail(
  reader: ReferralRecipient,
  decision: DecisionReason,
  { tickets, freeMonths, head }: VoidedRewards,
): Mail {
  const [ownTickets, ownMonths] = [tickets.get(reader.id) ?? 0, freeMonths.get(reader.id) ?? 0];
  const taken = [
    ...(ownTickets > 0 ? [`${ticketCount(ownTickets)} from it ${ownTickets === 1 ? 'takes' : 'take'} no part in the draw any more.`] : []),
    ...(ownMonths > 0 ? ['The free month from it can no longer be used.'] : []),
  ];
  const mail = notCountedEmail(reader, [formatReason(decision), ...(taken.length > 0 ? [taken.join(' ')] : [])]);
  return head === undefined || ownTickets === 0 ? mail : { ...mail, blocks: [...mail.blocks, ticketEmailFooter(head)] };
}

const notCountedEmail = (reader: ReferralRecipient, reasons: readonly string[]): Mail => {
  const { one } = namesOf[reader.role];
  return {
    to: reader.to,
    subject: `${one} does not count`,
    preview: 'It earns no rewards.',
    greeting: formatGreeting(reader.name),
    blocks: [
      { kind: 'text', text: `${one} does not count and earns no rewards.` },
      ...reasons.map((text) => ({ kind: 'text', text }) as const),
      ...objectionBlocks(reader),
    ],
    limit: { kind: 'referral.decided', perHour },
  };
};
