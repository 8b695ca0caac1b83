import type { Profile, ProfileForm } from '@handwise/contract/accounts/profile';
import { ApiError } from '../../lib/api-error.ts';

type Kept = Pick<Profile, 'fullName' | 'phoneNumber' | 'address' | 'about'>;
export type Changes = Partial<Kept> & { password?: string; currentPassword?: string };

const texts = ['fullName', 'phoneNumber', 'address', 'about'] as const satisfies (keyof Kept)[];

/** What of the form is to be sent, or null where nothing was changed. */
export function changesOf(kept: Kept, form: ProfileForm): Changes | null {
  const changes: Changes = Object.fromEntries(texts.filter((name) => form[name] !== kept[name]).map((name) => [name, form[name]]));
  if (form.newPassword !== '') Object.assign(changes, { password: form.newPassword, currentPassword: form.password });
  return Object.keys(changes).length === 0 ? null : changes;
}

// The form asks for three passwords, and calls the current one as the specification does.
const fieldOf: Partial<Record<string, string>> = { password: 'newPassword', currentPassword: 'password' };

/** A refused change with the names of the form's fields, in the server's words where it has some to say. */
function refusalOf(error: unknown, otherwise: string): ApiError {
  if (!(error instanceof ApiError)) return new ApiError(500, 'internal', otherwise);
  const said = error.status >= 400 && error.status < 500 ? error.message : otherwise;
  const fields = error.fieldErrors.map(({ field, message }) => ({ field: fieldOf[field] ?? field, message }));
  return new ApiError(error.status, error.code, said, fields);
}

/** Does what may be refused, and says of a failure what the form shows. */
export async function orRefusal<Result>(otherwise: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error, otherwise);
  }
}
