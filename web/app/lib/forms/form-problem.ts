import type { ErrorCode } from '@handwise/contract/errors';
import { ApiError, type FieldError } from '../api-error.ts';

type Problem = { message: string; fields: { field: string; message: string }[] };

/** What people call the fields of a form, by their names in the API. */
export type FieldLabels = Readonly<Partial<Record<string, string>>>;

// What the server finds out about one field only.
const fieldOfCode: Partial<Record<ErrorCode | 'network', string>> = { username_taken: 'username', email_taken: 'email' };

// `serviceImages[2]` and `services.0` are parts of a field.
const baseOf = (field: string) => field.replace(/[[.].*$/, '');

/** Errors of fields as sentences, each told once, with the field's label where the sentence does not begin with it anyway. */
export function fieldErrorText(errors: readonly FieldError[], labels: FieldLabels): string {
  const sentences = errors.map(({ field, message }) => {
    const label = labels[baseOf(field)];
    return !label || message.toLowerCase().startsWith(label.toLowerCase()) ? message : `${label}: ${message}`;
  });
  return [...new Set(sentences)].join(' ');
}

/** What a failed submit means for the form: its message, and the fields at fault. Fields that the form does not have are told in its message. */
export function formProblem(error: unknown, fieldNames: readonly string[], labels: FieldLabels = {}): Problem {
  if (!(error instanceof ApiError)) return { message: 'An unexpected error occurred', fields: [] };
  if (error.status === 0) {
    return { message: "We're having trouble connecting to the server. Nothing you typed is lost. Please try again.", fields: [] };
  }
  const field = fieldOfCode[error.code];
  const fields = error.fieldErrors.filter((one) => fieldNames.includes(one.field));
  const others = error.fieldErrors.filter((one) => !fieldNames.includes(one.field));
  return {
    message: others.length > 0 ? fieldErrorText(others, labels) : error.message,
    fields: field && fields.length === 0 ? [{ field, message: error.message }] : fields,
  };
}
