import type { AdminDraw } from '@handwise/contract/draws/admin';
import { monthName } from '@handwise/contract/dates';
import { count } from '@handwise/contract/numbers';
import { formatWaiting } from '../../draws/draw-view.ts';

/** "November 2026"; the month counts from 0. */
export const formatDrawMonth = ({ year, month }: Pick<AdminDraw, 'year' | 'month'>) => monthName(year, month + 1);

/** "2026-11", as the public addresses have it. */
export const formatDrawPeriod = ({ year, month }: Pick<AdminDraw, 'year' | 'month'>) => `${year}-${String(month + 1).padStart(2, '0')}`;

export const formatDrawPrize = ({ prizeAmount, currency }: Pick<AdminDraw, 'prizeAmount' | 'currency'>) =>
  `$${count(prizeAmount)}${currency ? ` ${currency}` : ''}`;

/** The state of a month's draw. */
export function formatDrawStatus({ status, waiting, outcome }: Pick<AdminDraw, 'status' | 'waiting' | 'outcome'>): string {
  if (status === 'pending') return 'Pending - Scheduled for end of month';
  if (status === 'completed')
    return outcome === 'no_entries' ? 'Completed, nobody took part' : outcome === 'not_awarded' ? 'Completed, not awarded' : 'Completed';
  if (!waiting) return 'Waiting for public randomness';
  return formatWaiting({ secondsLeft: waiting.seconds, late: waiting.late });
}

/** The winner, as administrators see them; null if there is none. */
export function winnerName({ winner }: Pick<AdminDraw, 'winner'>): string | null {
  return winner && (winner.userId?.fullName || 'Unknown User');
}

export const prizePaymentStates: Record<AdminDraw['paymentStatus'], string> = {
  pending: 'pending',
  claimed: 'claimed',
  paid: 'paid',
  not_awarded: 'not awarded',
};

/** The actions for a draw's winner. */
export const listPrizeActions = ({ winner, paymentStatus }: Pick<AdminDraw, 'winner' | 'paymentStatus'>) => ({
  pay: winner !== null && paymentStatus === 'claimed',
  look: winner !== null && paymentStatus === 'claimed',
  strike: winner !== null && (paymentStatus === 'pending' || paymentStatus === 'claimed'),
});
