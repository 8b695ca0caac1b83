import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type LoggerOptions, stdSerializers } from 'pino';
import { isUnavailable } from './database/database.ts';

export type RequestLog = {
  /** Share of the successful, fast requests that are logged: 0 none, 1 all. */
  share: number;
  /** Requests that take at least so many milliseconds are always logged. */
  slowMs: number;
};

/**
 * Logs one line per response: for every request that failed or was slow, and for a share of the others. Metrics count all of them; errors within a
 * request have their own lines with the same id.
 */
export function addRequestLog(app: FastifyInstance, { share, slowMs }: RequestLog): void {
  // Deterministic sampling: the share holds for short runs too.
  let due = 0;
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status, elapsedTime } = reply;
    let isWritten = status >= 400 || elapsedTime >= slowMs;
    if (!isWritten) {
      due += share;
      isWritten = due >= 1;
      if (isWritten) due -= 1;
    }
    if (isWritten) request.log.info({ ...toLoggedRequest(request), status, ms: Math.round(elapsedTime) }, 'answered');
    done();
  });
}

const isSecret = (name: string) => /(?:token|secret)$|^(?:code|state)$/i.test(name);
// Searches take positions with two decimals. Further decimals are rejected and must not be logged.
const roundPositions = (value: string) => value.replace(/((?:\.|%2e)\d\d)\d+/gi, '$1');

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A URL for logs and traces: without tokens of emailed links, the payment provider's secrets and exact positions. */
export function toLoggedUrl(url: string): string {
  const [path = '', query] = url.split(/\?(.*)/s);
  if (query === undefined) return url;
  const parameters = query.split('&').map((parameter) => {
    const [name = '', value = ''] = parameter.split(/[=](.*)/s);
    const known = decodeText(name);
    if (isSecret(known)) return `${name}=[removed]`;
    if (known.toLowerCase() === 'near') return `${name}=${roundPositions(value)}`;
    // A URL within the URL, such as the return path of a sign-in.
    return parameter.replace(/((?:token|secret)(?:%25)*%3d).*/i, '$1[removed]');
  });
  return `${path}?${parameters.join('&')}`;
}

export const toLoggedRequest = (request: Pick<FastifyRequest, 'method' | 'url' | 'host' | 'ip'>) => ({
  method: request.method,
  url: toLoggedUrl(request.url),
  host: request.host,
  remoteAddress: request.ip,
});

/** An error for logs, without the connection that the database library attaches to one, which is 5 kB of its inner state. */
export function toLoggedError(error: Error): object {
  const { client: _, ...logged } = stdSerializers.err(error);
  return logged;
}

const windowMs = 60_000;

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

/**
 * A hook for pino: while the database or another service can't be reached, the same error is logged once a minute, and at the end of the minute how
 * often it was `repeated`. Requests still have their own lines with their status.
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
