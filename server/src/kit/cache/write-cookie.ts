import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For a write that changes nothing its client is shown, such as counting a view: it sets no cookie. */
    showsNothing?: true;
  }
}

/** The cookie as a client sends it. */
export const writeCookie = 'wrote=1';

type CookieOptions = { isSecure: boolean; seconds: number };

/**
 * Sets a cookie after each successful write, so that any server answers the client's next requests with what it wrote. `seconds`: longer than a
 * replica or a cache may be behind.
 */
export function setWriteCookie(app: FastifyInstance, { isSecure, seconds }: CookieOptions): void {
  const cookie = `${writeCookie}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  app.addHook('onSend', async ({ method, routeOptions }, reply) => {
    if (method === 'GET' || method === 'HEAD' || reply.statusCode >= 400 || routeOptions.config?.showsNothing) return;
    reply.header('set-cookie', cookie);
  });
}

/**
 * Whether the client may have written a moment ago, so that it must not be answered with anything older. Anyone can send the cookie, and gets slower
 * answers for it, which are limited per network like all that is not cached.
 */
export const mayHaveWritten = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers.authorization !== undefined || /(?:^|;\s*)wrote=/.test(headers.cookie ?? '');
