import { counted } from '@handwise/contract/numbers';
import { type WorkSource, workSources } from '@handwise/contract/admin/work-sources';

/** "5 days", "3 hours", "1 minute": whole units, rounded down, at least a minute. */
function formatSpan(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  if (minutes < 60) return counted(minutes, 'minute');
  return minutes < 48 * 60 ? counted(Math.floor(minutes / 60), 'hour') : counted(Math.floor(minutes / 1_440), 'day');
}

/** "Waiting for 5 days". Depends on the time: never in server-rendered HTML. */
export const formatWaiting = (since: string, now: number) => `Waiting for ${formatSpan(now - Date.parse(since))}`;

export const isOverdue = (dueAt: string | null, now: number) => dueAt !== null && Date.parse(dueAt) <= now;

/** "Due in 3 hours", "2 days overdue"; null if nothing is due. */
export function formatDue(dueAt: string | null, now: number): string | null {
  if (dueAt === null) return null;
  const left = Date.parse(dueAt) - now;
  return left > 0 ? `Due in ${formatSpan(left)}` : `${formatSpan(-left)} overdue`;
}

/** What could not be read, in a sentence. */
export const formatUnread = (sources: readonly WorkSource[]) =>
  `Could not be read: ${sources.map((source) => workSources[source]).join(', ')}. Whether something is waiting there is not known.`;
