import { setTimeout as pause } from 'node:timers/promises';
import type { Finding } from '@handwise/contract/site/health';

/** What a check found, without its name. */
export type Outcome = Omit<Finding, 'name'>;

export type Check = {
  name: string;
  /** What to do if it could not be checked. */
  otherwise: string;
  run: () => Promise<Outcome> | Outcome;
};

export const ok = (says: string): Outcome => ({ state: 'ok', says, todo: null });
export const warn = (says: string, todo: string): Outcome => ({ state: 'warn', says, todo });
export const fail = (says: string, todo: string): Outcome => ({ state: 'fail', says, todo });

/** The reason of an error in one line, with the reasons behind it. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0]);
  const code = 'code' in error && typeof error.code === 'string' && !error.message.includes(error.code) ? ` (${error.code})` : '';
  return `${error.message || error.name}${code}`.replaceAll(/\s+/g, ' ');
}

/** Longer than the sum of the time limits within any check. */
const checkLimitMs = 20_000;

/** Runs a check. One that throws or runs out of time has found nothing out, which is never `ok`. */
async function runCheck({ name, otherwise, run }: Check, limitMs: number): Promise<Finding> {
  const late = new AbortController();
  const unchecked = (why: string) => warn(`Could not be checked: ${why}.`, otherwise);
  try {
    const outcome = await Promise.race([
      (async () => run())(),
      pause(limitMs, undefined, { signal: late.signal }).then(() => unchecked(`no answer within ${limitMs / 1_000} seconds`)),
    ]);
    return { name, ...outcome };
  } catch (error) {
    return { name, ...unchecked(describeError(error)) };
  } finally {
    late.abort();
  }
}

/** Runs checks at the same time, each with its own time limit; the findings are in the order of the checks. */
export const runChecks = (checks: readonly Check[], patience = 1): Promise<Finding[]> =>
  Promise.all(checks.map((check) => runCheck(check, patience * checkLimitMs)));
