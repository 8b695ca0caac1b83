import { sameBytes } from './bytes.ts';
import { verifyHead } from './checkpoint.ts';
import { findHeads } from './mail.ts';

/** A log that mails are held against: how long it is, and its root at a size, as far as that is known. */
type Log = { origin: string; publicKey: string; size: number; rootAt: (size: number) => Uint8Array | undefined };

/**
 * What is wrong with the heads in a mail, of which each has to be signed and a beginning of the log, and when it was sent. `unknown` is
 * said where the log's root at that size is not known.
 */
export function checkMailedHeads(mail: string, log: Log, unknown: string): { faults: string[]; says: string[] } {
  const heads = findHeads(mail);
  if (heads.length === 0) return { faults: ['there is no head of a ticket log in the email'], says: [] };
  const own = heads.filter(({ origin }) => origin === log.origin);
  if (own.length === 0) return { faults: [`the email’s head is of ${heads[0]?.origin}, not of ${log.origin}`], says: [] };
  const faults = own.flatMap((head) => {
    const name = `the email’s head of ${head.size} leaves`;
    if (!verifyHead(head, log.publicKey)) return [`${name} is not signed with the key of this log`];
    if (head.size > log.size) return [`${name} is longer than the log at its end, which has ${log.size}: leaves were removed`];
    const root = log.rootAt(head.size);
    if (!root) return [`${name} ${unknown}`];
    return sameBytes(root, head.root) ? [] : [`${name} is not the start of this log: what it said then has been changed`];
  });
  return { faults, says: own.map(({ size }) => `the email was sent when the log had ${size} of ${log.size} leaves`) };
}
