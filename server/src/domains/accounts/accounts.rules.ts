import { invalidField } from '../../kit/errors.ts';
import { isCommonPassword } from '../../kit/password.ts';

/** Throws `invalid_input` for a password that is one of the first to be tried. */
export function refuseCommonPassword(password: string) {
  if (isCommonPassword(password)) throw invalidField('password', 'This password is too common');
}
