import type { ErrorCode } from '@handwise/contract/errors';

export type FieldError = { field: string; message: string };

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
