import { hash, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';

// Argon2id with the library's defaults: 19 MiB, 2 passes, 1 lane, which is OWASP's first choice.
export const hashPassword = (password: string) => hash(password);

// What an unknown address is compared with, so that it takes as long as a known one.
const nobody = hash('the password of nobody');

/** Whether the password is the one of the hash. Takes as long without a hash, and then says no. */
export async function isPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  // An account without a password, such as a demo account, has a hash that no password gives.
  const usable = passwordHash?.startsWith('$argon2') ? passwordHash : undefined;
  return (await verify(usable ?? (await nobody), password)) && usable !== undefined;
}

const common = new Set(
  dictionary['passwords-common']
    .map(String)
    .filter((password) => password.length >= 6)
    .slice(0, 3000),
);

export const isCommonPassword = (password: string) => common.has(password.toLowerCase());
