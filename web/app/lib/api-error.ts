import type { ErrorCode } from '@handwise/contract/errors';

export type FieldError = { field: string; message: string };

/** An answer of the API that is not a success. `status` is 0 where no answer came at all. */
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
