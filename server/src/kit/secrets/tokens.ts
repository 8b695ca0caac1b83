import { createHmac, randomBytes, timingSafeEqual, createHash } from 'node:crypto';
import type { Reader } from '../database/database.ts';

// Links and addresses in emails carry a signature (HMAC). The keys are stored in the database, so all servers share them without configuration. A
// leaked key is worth less than the data next to it.

/** `abuse` hashes mailboxes, networks and cards, so that they can be compared but not read; `push` is the private key of push notifications. */
export type SigningKeyName = 'mails' | 'replies' | 'calendars' | 'abuse' | 'push';

/** Returns the key, and creates it on first use. */
export async function ensureSigningKey(db: Reader, name: SigningKeyName): Promise<Buffer> {
  const found = await findKey(db, name);
  if (found) return found;
  await db
    .insertInto('signing_keys')
    .values({ name, key: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const made = await findKey(db, name);
  if (!made) throw new Error('the key was created but cannot be found');
  return made;
}

export const hasSigningKey = async (db: Reader, name: SigningKeyName): Promise<boolean> => (await findKey(db, name)) !== undefined;

const findKey = async (db: Reader, name: SigningKeyName) =>
  (await db.selectFrom('signing_keys').select('key').where('name', '=', name).executeTakeFirst())?.key;

/** A signature of so many hexadecimal digits, four bits each. */
export async function signText(db: Reader, name: SigningKeyName, text: string, digits: number): Promise<string> {
  return (await createSigner(db, name, digits))(text);
}

/** A signer of many texts, which reads the key once. */
export async function createSigner(db: Reader, name: SigningKeyName, digits: number): Promise<(text: string) => string> {
  const key = await ensureSigningKey(db, name);
  return (text) => createHmac('sha256', key).update(text).digest('hex').slice(0, digits);
}

export async function isValidSignature(
  db: Reader,
  name: SigningKeyName,
  text: string,
  signature: string,
  digits: number,
): Promise<boolean> {
  const right = Buffer.from(await signText(db, name, text, digits));
  const actual = Buffer.from(signature);
  return actual.length === right.length && timingSafeEqual(actual, right);
}

/** 256 random bits as 43 characters. */
export const createToken = () => randomBytes(32).toString('base64url');

/** The hash that is stored in place of a token. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest();
