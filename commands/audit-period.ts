const day = 86_400_000;

type PeriodOptions = { provider?: boolean | undefined; from?: string | undefined; to?: string | undefined };

/** The period of an audit at the provider: whole days in UTC, including the last; by default the last 30 and today. */
export function getAuditPeriod({ provider = false, from, to }: PeriodOptions, now: Date): { from: Date; to: Date } {
  if (!provider && (from !== undefined || to !== undefined)) throw new Error('--from and --to are for --provider');
  const end = to === undefined ? now.getTime() : getDay(to, 'to') + day;
  const begin = from === undefined ? end - 31 * day : getDay(from, 'from');
  if (begin >= end) throw new Error(to === undefined ? '--from is in the future' : '--from is after --to');
  return { from: new Date(begin), to: new Date(end) };
}

// Date turns a day that does not exist, such as the 31st of February, into another one.
function getDay(text: string, name: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) throw new Error(`--${name} takes a day such as 2026-11-22`);
  return time;
}
