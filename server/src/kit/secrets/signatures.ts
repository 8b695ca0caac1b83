import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Reader } from '../database/database.ts';

// Addresses in mails prove by a signature that they are ours. The keys lie in the database: every server has the same, and nobody
// has to think of them. Whoever reads the database could end somebody's mails, which is less than what else lies there.

/** With `abuse`, mailboxes, networks and cards are compared by what nobody can read them from. */
export type KeyName = 'mails' | 'replies' | 'abuse' | 'positions';

/** The key of this name, made where it is asked for first. */
export async function keyOf(db: Reader, name: KeyName): Promise<Buffer> {
  const found = await findKey(db, name);
  if (found) return found;
  await db
    .insertInto('signing_keys')
    .values({ name, key: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const made = await findKey(db, name);
  if (!made) throw new Error('a key that was just made is not there');
  return made;
}

const findKey = async (db: Reader, name: KeyName) =>
  (await db.selectFrom('signing_keys').select('key').where('name', '=', name).executeTakeFirst())?.key;

/** So many hexadecimal digits, four bits each, that nobody can write who does not have the key. */
export async function signatureOf(db: Reader, name: KeyName, text: string, digits: number): Promise<string> {
  return (await signerOf(db, name, digits))(text);
}

/** The same for many texts, with the key read once. */
export async function signerOf(db: Reader, name: KeyName, digits: number): Promise<(text: string) => string> {
  const key = await keyOf(db, name);
  return (text) => createHmac('sha256', key).update(text).digest('hex').slice(0, digits);
}

export async function isSigned(db: Reader, name: KeyName, text: string, signature: string, digits: number): Promise<boolean> {
  const right = Buffer.from(await signatureOf(db, name, text, digits));
  const given = Buffer.from(signature);
  return given.length === right.length && timingSafeEqual(given, right);
}
