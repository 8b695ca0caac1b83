import type { ErrorCode } from '@handwise/contract/errors';

export type FieldError = { field: string; message: string };

/** Shown by whatever cannot say more than that there was no response. */
export const connectionProblem = "We're having trouble connecting to the server. Please check your internet connection.";

/** An unsuccessful response of the API. `status` is 0 if there was none. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'network';
  readonly fieldErrors: readonly FieldError[];

  constructor(status: number, code: ErrorCode | 'network', message: string, fieldErrors: readonly FieldError[] = []) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.fieldErrors = fieldErrors;
  }
}

/** Why a call failed, in the server's own words. Null if it gave no reason, or if nobody or a proxy answered in its place. */
export const getServerReason = (error: unknown): string | null =>
  error instanceof ApiError && error.code !== 'network' && error.code !== 'internal' && error.message !== '' ? error.message : null;
