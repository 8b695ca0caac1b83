import type { FastifyReply } from 'fastify';

// The only call that gets the cookie.
const restorePath = '/api/auth/restore';

const restoreName = 'restore';
// Says to the page's script that there may be a session to restore. It is worth nothing else, and no server reads it.
const hintName = 'signed-in';

const maxAgeSeconds = 30 * 24 * 60 * 60;

const toCookies = (token: string, seconds: number) => [
  `${restoreName}=${token}; Path=${restorePath}; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Strict`,
  `${hintName}=${seconds > 0 ? 1 : ''}; Path=/; Max-Age=${seconds}; Secure; SameSite=Strict`,
];

export const setSessionCookies = (reply: FastifyReply, token: string) => reply.header('set-cookie', toCookies(token, maxAgeSeconds));
export const clearSessionCookies = (reply: FastifyReply) => reply.header('set-cookie', toCookies('', 0));

/** The token of the cookie, if it has the form of one. */
export const readRestoreCookie = (header: string | undefined): string | undefined =>
  /(?:^|;\s*)restore=([\w-]{43})(?:;|$)/.exec(header ?? '')?.[1];

/** Puts the token that restores a new session into the cookie, and returns the rest of the answer. */
export function withSessionCookies<Answer extends object>(reply: FastifyReply, answer: Answer): WithoutRestore<Answer> {
  const { restore, ...shown } = answer as Answer & { restore?: string };
  if (restore !== undefined) setSessionCookies(reply, restore);
  return shown as WithoutRestore<Answer>;
}

// For each answer of a union.
type WithoutRestore<Answer> = Answer extends unknown ? Omit<Answer, 'restore'> : never;
