import type { ErrorCode } from '@handwise/contract/errors';
import { ApiError, type FieldError } from '../api-error.ts';

type Problem = { message: string; fields: { field: string; message: string }[] };

/** The labels of a form's fields, by their names in the API. */
export type FieldLabels = Readonly<Partial<Record<string, string>>>;

// Error codes that belong to a field.
const fieldOfCode: Partial<Record<ErrorCode | 'network', string>> = { username_taken: 'username', email_taken: 'email' };

// `serviceImages[2]` and `services.0` are parts of a field.
const getBase = (field: string) => field.replace(/[[.].*/s, '');

/** Field errors as sentences without duplicates, with the field's label unless the sentence begins with it. */
export function formatFieldErrors(errors: readonly FieldError[], labels: FieldLabels): string {
  const sentences = errors.map(({ field, message }) => {
    const label = labels[getBase(field)];
    return !label || message.toLowerCase().startsWith(label.toLowerCase()) ? message : `${label}: ${message}`;
  });
  return [...new Set(sentences)].join(' ');
}

/** A failed submit for the form: its message and the invalid fields. Errors of fields that the form lacks are in its message. */
export function toFormProblem(error: unknown, fieldNames: readonly string[], labels: FieldLabels = {}): Problem {
  if (!(error instanceof ApiError)) return { message: 'An unexpected error occurred', fields: [] };
  if (error.status === 0) {
    return { message: "We're having trouble connecting to the server. Nothing you typed is lost. Please try again.", fields: [] };
  }
  const field = fieldOfCode[error.code];
  const fields = error.fieldErrors.filter((one) => fieldNames.includes(one.field));
  const others = error.fieldErrors.filter((one) => !fieldNames.includes(one.field));
  return {
    message: others.length > 0 ? formatFieldErrors(others, labels) : error.message,
    fields: field && fields.length === 0 ? [{ field, message: error.message }] : fields,
  };
}
