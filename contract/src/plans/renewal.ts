import { dayMs } from '../dates.ts';

// Separate from the schemas in calls.ts, so that public pages load no Zod.

/** Days before the end of a plan: the email, the charge, and further attempts if it fails. */
export const renewalDays = { notice: 6, charge: 3, retries: [2, 1] } as const;

/** How long a seller has at least to change their mind. */
export const renewalHours = 24;

const before = (endsAt: Date, days: number) => new Date(endsAt.getTime() - days * dayMs);

export const getNoticeTime = (endsAt: Date) => before(endsAt, renewalDays.notice);

/** When a renewal that is agreed to now is charged; null: at once. `hasFailed`: an attempt has failed before. */
export function getChargeTime(endsAt: Date, now: Date, hasFailed: boolean): Date | null {
  const earliest = new Date(now.getTime() + renewalHours * 3_600_000);
  const due = before(endsAt, renewalDays.charge);
  if (earliest > endsAt || (hasFailed && now >= due)) return null;
  return earliest > due ? earliest : due;
}

/** The next attempt after one that failed now; null if there is none. */
export const getRetryTime = (endsAt: Date, now: Date): Date | null =>
  renewalDays.retries.map((days) => before(endsAt, days)).find((time) => time > now) ?? null;
