import { ApiError } from '../../../lib/api-error.ts';

/** What a message that was not sent tells its author: the server's words, else those of the specification. */
export const messageProblem = (error: unknown): string =>
  (error instanceof ApiError && error.status !== 0 && error.message) || 'Failed to send message. Please try again.';
