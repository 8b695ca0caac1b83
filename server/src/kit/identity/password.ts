import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { FairQueue } from '../limits/fair-queue.ts';
import { loadOnce } from '../load-once.ts';

// Argon2id with the library's defaults: 19 MiB, 2 passes, 1 lane, which is OWASP's first choice. It takes a core for some 30 ms,
// on one of the four threads that also read and write files: one core and one thread stay for everything else.
export const passwordQueue = new FairQueue({
  running: Math.min(3, Math.max(1, availableParallelism() - 1)),
  waiting: 500,
  rejection: 'busy',
});

// What an unknown address is compared with, so that it takes as long as a known one.
const nobody = hash('the password of nobody');

const passwords = {
  hash: (password: string) => hash(password),
  /** Whether the password is the one of the hash. Takes as long without a hash, and then says no. */
  async isRight(passwordHash: string | undefined, password: string): Promise<boolean> {
    // An account without a password, such as a demo account, has a hash that no password gives.
    const usable = passwordHash?.startsWith('$argon2') ? passwordHash : undefined;
    return (await verify(usable ?? (await nobody), password)) && usable !== undefined;
  },
};

/** Makes or compares password hashes, when it is this one's turn. Throws `busy` where too many wait. */
export const withPasswords = <Result>(work: (able: typeof passwords) => Promise<Result>) => passwordQueue.run(() => work(passwords));

// The library is one of words as well and takes 6 MB, which a server that nobody gives a new password need not spend.
const common = loadOnce(async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const long = dictionary['passwords-common'].map(String).filter((password) => password.length >= 6);
  return new Set(long.slice(0, 3000));
});

export const isCommonPassword = async (password: string) => (await common()).has(password.toLowerCase());
