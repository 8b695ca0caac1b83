import { ApiError } from '../../lib/api-error.ts';

/**
 * What writing to a business tells it of oneself. `relayed`: answers by mail come through us, and nobody sees the other's address.
 */
export const addressWords = (relayed: boolean, email?: string) =>
  relayed
    ? 'It reaches them here and by email. They do not see your address: what they reply by email reaches you through us.'
    : `It reaches them here and by email. The email carries your address${email ? `, ${email}` : ''}, so that they can reply to you there too.`;

/** The same for somebody who has no account yet. */
export const seenWords = (relayed: boolean) =>
  relayed ? 'They see your first name, and nothing else.' : 'They see your first name and your email address, and nothing else.';

/** What a message that was not sent tells its author: the server's words, else those of the specification. */
export const messageProblem = (error: unknown): string =>
  (error instanceof ApiError && error.status !== 0 && error.message) || 'Failed to send message. Please try again.';
