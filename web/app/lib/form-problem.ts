import type { ErrorCode } from '@handwise/contract/errors';
import { ApiError } from './api-error.ts';

type Problem = { message: string; fields: { field: string; message: string }[] };

// What the server finds out about one field only.
const fieldOfCode: Partial<Record<ErrorCode | 'network', string>> = { username_taken: 'username', email_taken: 'email' };

/** What a failed submit means for the form: its message, and the fields at fault. */
export function formProblem(error: unknown, fieldNames: readonly string[]): Problem {
  if (!(error instanceof ApiError)) return { message: 'An unexpected error occurred', fields: [] };
  if (error.status === 0) {
    return { message: "We're having trouble connecting to the server. Nothing you typed is lost. Please try again.", fields: [] };
  }
  const field = fieldOfCode[error.code];
  const fields = error.fieldErrors.filter((one) => fieldNames.includes(one.field));
  return { message: error.message, fields: field && fields.length === 0 ? [{ field, message: error.message }] : fields };
}
