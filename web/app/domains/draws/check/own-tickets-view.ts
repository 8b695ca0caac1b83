import { count, counted } from '@handwise/contract/numbers';
import type { DrawEntry, EntrySource, VoidReason } from '@handwise/contract/tickets/calls';
import { dayText } from '../draw-times.ts';

const sources: Record<EntrySource, string> = {
  signup: 'for signing up',
  referral: 'because somebody signed up with your code',
  listing: 'for the first listing of somebody you invited',
  other: 'given by us',
};

const reasons: Record<VoidReason, string> = {
  administrator: 'administrators take no part',
  suspended: 'your account was suspended when the draw closed',
  deleted: 'your account was deleted',
  swapped: 'you swapped it for a free month',
  fraud: 'it broke the rules',
  unconfirmed: 'your email address was not confirmed when the draw closed',
};

/** "5 tickets for the first listing of somebody you invited, Oct 12, 2026" */
export const ownEntryText = ({ tickets, source, createdAt }: DrawEntry) =>
  `${counted(tickets, 'ticket')} ${sources[source]}, ${dayText(createdAt)}`;

/** Where in the draw it was; null where it was not. */
export function ownPlaceText(entry: DrawEntry & { proof: { firstTicket: number } | null }, total: number): string | null {
  if (!entry.proof) return null;
  const first = entry.proof.firstTicket + 1;
  const last = entry.proof.firstTicket + entry.tickets;
  return first === last ? `Ticket ${count(first)} of ${count(total)}` : `Tickets ${count(first)} to ${count(last)} of ${count(total)}`;
}

/** Why an entry takes no part. */
export const ownVoidText = (reason: VoidReason | null) => (reason ? `Not in the draw: ${reasons[reason]}.` : null);
