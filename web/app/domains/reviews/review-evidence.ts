import { dateText } from '@handwise/contract/dates';
import { counted } from '@handwise/contract/numbers';
import type { ReviewEvidence } from '@handwise/contract/reviews/shown';

const minuteMs = 60_000;

/** "40 minutes", "2 hours", "3 days": to the nearest of the largest that there is at least one of. */
export function spanText(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / minuteMs));
  if (minutes < 60) return counted(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 24 ? counted(hours, 'hour') : counted(Math.round(hours / 24), 'day');
}

/** What speaks for a review: that its author wrote to the business here, and how fast it answered. */
export function evidenceText(evidence: ReviewEvidence | null, timeZone: string): string {
  if (!evidence) return 'No contact through Handwise';
  const { messagedAt, answeredAt } = evidence;
  const answer = answeredAt === null ? 'no answer yet' : `answered in ${spanText(Date.parse(answeredAt) - Date.parse(messagedAt))}`;
  return `Messaged here on ${dateText(messagedAt, timeZone)}, ${answer}`;
}
