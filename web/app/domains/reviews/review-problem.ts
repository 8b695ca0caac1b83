import { ApiError } from '../../lib/api-error.ts';

/** What a failed review tells its author: the server's words, else those of the specification. */
export function reviewProblem(error: unknown): string {
  if (error instanceof ApiError && error.status === 0) return 'Failed to submit review. Please try again.';
  if (error instanceof ApiError) return error.message || 'An error occurred';
  return typeof error === 'string' ? error : 'Failed to submit review. Please try again.';
}
