import { monthName } from '@handwise/contract/dates';
import type { PublicDraw } from '@handwise/contract/draws/calls';
import { count, counted } from '@handwise/contract/numbers';
import { formatDrawDay, drawMoment } from './draw-times.ts';

/** The published files of a draw. */
export const drawFiles = (period: string) => ({
  proof: `/api/draws/${period}/proof`,
  log: `/api/draws/${period}/log.txt`,
  checkpoint: `/api/draws/${period}/log/checkpoint`,
  pack: `/api/draws/${period}/pack`,
  terms: `/api/draws/${period}/terms`,
});

/** The command that checks a draw without a browser. */
export const verifyCommand = (origin: string, period: string) =>
  `npm run --silent draw:verify -- ${origin}${drawFiles(period).proof} --log log.txt --checkpoint mail.txt`;

/** "$1,000", with the currency once it is known. */
export const formatPrize = ({ amount, currency }: PublicDraw['prize']) => `$${count(amount)}${currency ? ` ${currency}` : ''}`;

export const drawName = ({ year, month }: Pick<PublicDraw, 'year' | 'month'>) => monthName(year, month);

/** Tickets are counted from 0 in the proof, and from 1 by people. */
export const ticketNumber = (ticketIndex: number) => count(ticketIndex + 1);

/** "Waiting for public randomness, ready in about 12 seconds" */
export function formatWaiting({ secondsLeft, late }: Pick<NonNullable<PublicDraw['round']>, 'secondsLeft' | 'late'>): string {
  if (late) return 'Waiting for public randomness. It is late: the draw is waiting for the announced round and will take no other.';
  return `Waiting for public randomness, ready in about ${counted(Math.max(1, secondsLeft), 'second')}`;
}

/** A draw's state in one line. */
export function formatResult(draw: PublicDraw): string {
  if (draw.status === 'open') return `Open until ${drawMoment(draw.closesAt)}`;
  if (draw.status === 'waiting') return draw.round ? formatWaiting(draw.round) : 'Waiting for public randomness';
  if (draw.outcome === 'no_entries') return 'Nobody entered, so nobody won';
  if (draw.outcome === 'not_awarded' || !draw.winner) return 'The prize was not awarded';
  return `${draw.winner.name || 'Somebody who has since closed their account'} won ${formatPrize(draw.prize)}`;
}

/** The prize's state, for the public. */
export const prizeStates = {
  pending: 'The winner has been told but has not claimed the prize yet.',
  claimed: 'The winner has claimed the prize, and we will pay it within days.',
  paid: 'The prize has been paid.',
} as const;

/** "5 of 1,234 tickets: one chance in 247" */
export function formatChance(tickets: number, total: number): string {
  const share = `${count(tickets)} of ${counted(total, 'ticket')}`;
  if (tickets >= total) return share;
  const of = total / tickets;
  const [about, rounded] = Number.isInteger(of) ? ['', count(of)] : ['about ', of < 10 ? of.toFixed(1) : count(Math.round(of))];
  return `${share}: ${about}one chance in ${rounded}`;
}

/** "290 people hold 1,234 tickets in 310 entries" */
export function formatTotals({
  status,
  totalTickets,
  entryCount,
  totalParticipants,
}: Pick<PublicDraw, 'status' | 'totalTickets' | 'entryCount' | 'totalParticipants'>): string {
  if (totalTickets === 0) return status === 'open' ? 'No tickets yet' : 'No tickets';
  const hold = status === 'completed' ? 'held' : totalParticipants === 1 ? 'holds' : 'hold';
  const tickets = `${counted(totalTickets, 'ticket')} in ${counted(entryCount, 'entry', 'entries')}`;
  return `${counted(totalParticipants, 'person', 'people')} ${hold} ${tickets}`;
}

export const formatStruck = ({ reason, struckAt }: PublicDraw['struck'][number]) => `Struck on ${formatDrawDay(struckAt)}: ${reason}`;

/** Milliseconds until a draw's state should be fetched again; null once it is final. */
export function drawRefetchMs({ status, round }: PublicDraw): number | null {
  if (status === 'completed') return null;
  if (status === 'open') return 60_000;
  // Often in the last seconds, while readers watch the countdown.
  if (round?.late) return 10_000;
  return round && round.secondsLeft > 20 ? 5_000 : 1_000;
}

/** The version of a draw's published files: they are fetched again when it changes. */
export const getEdition = ({ status, struck }: PublicDraw) => `${status} ${struck.length}`;

/** Whether the list is small enough to fetch automatically; an entry has about 50 bytes. */
export const isSmallDraw = ({ entryCount }: PublicDraw) => entryCount <= 10_000;
