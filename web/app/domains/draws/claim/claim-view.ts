import { monthName } from '@handwise/contract/dates';
import type { WonDraw } from '@handwise/contract/draws/calls';
import { count } from '@handwise/contract/numbers';
import { ApiError, getServerReason } from '../../../lib/api-error.ts';
import { formatDrawDay } from '../draw-times.ts';

/** "$1,000 NZD" */
export const formatWonPrize = ({ prizeAmount, currency, paymentStatus }: Pick<WonDraw, 'prizeAmount' | 'currency' | 'paymentStatus'>) =>
  `$${count(prizeAmount)}${paymentStatus === 'pending' ? '' : ` ${currency}`}`;

/** The draw's day, or its month and year if the day is unknown. Months count from 0. */
export const formatWonDate = ({ drawDate, month, year }: Pick<WonDraw, 'drawDate' | 'month' | 'year'>) =>
  Number.isNaN(Date.parse(drawDate)) ? monthName(year, month + 1) : formatDrawDay(drawDate);

/** The message of a failed submission: the server's, if it gave a reason. */
export const claimFailure = (error: unknown): unknown =>
  getServerReason(error) !== null
    ? error
    : new ApiError(error instanceof ApiError ? error.status : 0, 'internal', 'Error submitting payment details');
