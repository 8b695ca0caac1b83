import type { LoggerOptions } from 'pino';
import { isUnavailable } from './database/database.ts';

const windowMs = 60_000;

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

/**
 * A hook for pino: while the database or another service can't be reached, the same error is logged once a minute, and at the end of the minute how often
 * it was `repeated`. Requests still have their own lines with their status.
 */
export function limitRepeatedErrors(): LogMethod {
  const repeats = new Map<string, number>();
  return function limited(args, method) {
    const [fields, message] = args as unknown as [unknown, unknown];
    const err = typeof fields === 'object' && fields !== null && 'err' in fields ? fields.err : undefined;
    if (!isUnavailable(err)) return method.apply(this, args);
    const key = `${String(message)} ${'code' in (err as Error) ? String((err as Error & { code: unknown }).code) : (err as Error).message}`;
    const counted = repeats.get(key);
    if (counted !== undefined) {
      repeats.set(key, counted + 1);
      return undefined;
    }
    repeats.set(key, 0);
    setTimeout(() => {
      const repeated = repeats.get(key);
      repeats.delete(key);
      if (repeated) method.apply(this, [{ err, repeated }, String(message)] as unknown as typeof args);
    }, windowMs).unref();
    return method.apply(this, args);
  };
}
