import { dayMs } from '../dates.ts';

// Separate from the schemas in calls.ts, so that public pages load no Zod.

/** Days before the end of a plan: the email, the charge, and further attempts if it fails. */
export const renewalDays = { notice: 6, charge: 3, retries: [2, 1] } as const;

/** How long a seller has at least to change their mind. */
export const renewalHours = 24;

/** How long before the charge its email is out. */
export const noticeHours = 48;

const before = (endsAt: Date, days: number) => new Date(endsAt.getTime() - days * dayMs);

export const getNoticeTime = (endsAt: Date) => before(endsAt, renewalDays.notice);

/** When a renewal that is agreed to now is charged; null: at once. `hasFailed`: an attempt has failed before. */
export function getChargeTime(endsAt: Date, now: Date, hasFailed: boolean): Date | null {
  const earliest = new Date(now.getTime() + renewalHours * 3_600_000);
  const due = before(endsAt, renewalDays.charge);
  if (earliest > endsAt || (hasFailed && now >= due)) return null;
  return earliest > due ? earliest : due;
}

/**
 * When a charge is made whose email goes out now, of which `due` is the planned time: after `noticeHours`, or after `renewalHours` if the email
 * confirms what was agreed to just before. Null if the plan ends first.
 */
export function getAnnouncedCharge({ agreedAt, due, endsAt }: { agreedAt: Date; due: Date; endsAt: Date }, now: Date): Date | null {
  const isConfirmation = agreedAt >= getNoticeTime(endsAt);
  const earliest = now.getTime() + (isConfirmation ? renewalHours : noticeHours) * 3_600_000;
  // A confirmation goes out shortly after its seller agreed, possibly with just that time left.
  if (earliest > endsAt.getTime() + (isConfirmation ? confirmationMs : 0)) return null;
  return new Date(Math.min(Math.max(due.getTime(), earliest), endsAt.getTime()));
}

const confirmationMs = 600_000;

/** The next attempt after one that failed now; null if there is none. */
export const getRetryTime = (endsAt: Date, now: Date): Date | null =>
  renewalDays.retries.map((days) => before(endsAt, days)).find((time) => time > now) ?? null;
