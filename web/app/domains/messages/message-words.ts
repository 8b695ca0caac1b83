import { getServerReason } from '../../lib/api-error.ts';

/** What the business learns about the writer. `relayed`: replies by email come through us, and neither side sees the other's address. */
export const addressWords = (relayed: boolean, email?: string) =>
  relayed
    ? 'It reaches them here and by email. They do not see your address: what they reply by email reaches you through us.'
    : `It reaches them here and by email. The email carries your address${email ? `, ${email}` : ''}, so that they can reply to you there too.`;

/** The same for visitors without an account. */
export const seenWords = (relayed: boolean) =>
  relayed ? 'They’ll see your first name, nothing else.' : 'They’ll see your first name and email address, nothing else.';

/** Why a message was not sent: the server's words, else those of the specification. */
export const describeMessageError = (error: unknown): string => getServerReason(error) ?? 'Failed to send message. Please try again.';
