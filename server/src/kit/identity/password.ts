import { availableParallelism } from 'node:os';
import { FairQueue, type QueueLimits } from '../limits/fair-queue.ts';
import { loadOnce } from '../load-once.ts';
import { argon2id } from './argon2id.ts';

// One core, and one of the four threads that compute hashes and do file I/O, stay free.
const limits: QueueLimits = {
  running: Math.min(3, Math.max(1, availableParallelism() - 1)),
  waiting: 500,
  rejection: 'busy',
};
export const passwordQueue = new FairQueue(limits);

/** People wait so long for a sign-in before they press again, which makes the queue longer. */
const patienceMs = 5_000;

/** Limits how long work waits for its turn. Where other requests may wait longer, so may this. */
export function limitPasswordWait(queueWaitMs: number): void {
  limits.longestWaitMs = Math.max(patienceMs, queueWaitMs);
}

// Compared if the account does not exist, so that the response takes as long as for an existing one.
const nobody = argon2id.hash('the password of nobody');

const passwords = {
  hash: (password: string) => argon2id.hash(password),
  /** Whether the password matches the hash. Takes as long without a hash, and then is false. */
  async isMatch(passwordHash: string | undefined, password: string): Promise<boolean> {
    // An account without a password has a placeholder that matches no password.
    const usable = passwordHash?.startsWith('$argon2') ? passwordHash : undefined;
    return (await argon2id.verify(usable ?? (await nobody), password)) && usable !== undefined;
  },
};

/** Queues work that computes password hashes. Throws `busy` if the queue is full, or the work has waited or would wait too long. */
export const withPasswordHasher = <Result>(work: (able: typeof passwords) => Promise<Result>) => passwordQueue.run(() => work(passwords));

// The library also contains dictionaries and takes 6 MB, so it is loaded on first use.
const common = loadOnce(async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const long = dictionary['passwords-common'].map(String).filter((password) => password.length >= 6);
  return new Set(long.slice(0, 3000));
});

export const isCommonPassword = async (password: string) => (await common()).has(password.toLowerCase());
