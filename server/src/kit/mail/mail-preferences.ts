import { type MailKind, mailKinds } from '@handwise/contract/mail-preferences';
import { paths } from '@handwise/contract/paths';
import type { Reader } from '../database/database.ts';
import { anyId } from '../database/sql-helpers.ts';
import { AppError } from '../errors.ts';
import { isValidSignature, createSigner } from '../secrets/tokens.ts';
import type { Mail } from './mail.ts';

const digits = 32;

const isKind = (text: string): text is MailKind => Object.hasOwn(mailKinds, text);

export async function isSubscribed(db: Reader, userId: string, kind: MailKind): Promise<boolean> {
  const ended = await db.selectFrom('ended_mails').select('kind').where('user_id', '=', userId).where('kind', '=', kind).executeTakeFirst();
  return ended === undefined;
}

/** The users among these who have unsubscribed from this kind. */
export async function listUnsubscribed(db: Reader, userIds: readonly string[], kind: MailKind): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('ended_mails')
    .select('user_id')
    .where('user_id', '=', anyId(userIds))
    .where('kind', '=', kind)
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

export async function setSubscription(db: Reader, userId: string, kind: MailKind, on: boolean): Promise<void> {
  if (on) {
    await db.deleteFrom('ended_mails').where('user_id', '=', userId).where('kind', '=', kind).execute();
    return;
  }
  await db
    .insertInto('ended_mails')
    .values({ user_id: userId, kind })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export const deleteMailPreferences = (db: Reader, userId: string) => db.deleteFrom('ended_mails').where('user_id', '=', userId).execute();

export const describePreference = (kind: MailKind, on: boolean) => ({ kind, text: mailKinds[kind], on });

export async function listMailPreferences(db: Reader, userId: string) {
  const ended = new Set((await db.selectFrom('ended_mails').select('kind').where('user_id', '=', userId).execute()).map((row) => row.kind));
  return Object.keys(mailKinds)
    .filter(isKind)
    .map((kind) => describePreference(kind, !ended.has(kind)));
}

type UnsubscribeLinks = NonNullable<Mail['end']>;

/** The links in a mail that unsubscribe its reader without signing in, for the mail's `end`. */
export const getUnsubscribeLinks = async (db: Reader, appUrl: string, userId: string, kind: MailKind): Promise<UnsubscribeLinks> =>
  (await prepareUnsubscribeLinks(db, appUrl, kind))(userId);

/** The same for many readers. */
export async function prepareUnsubscribeLinks(db: Reader, appUrl: string, kind: MailKind): Promise<(userId: string) => UnsubscribeLinks> {
  const endOf = await signUnsubscribeLinks(db, { oneClick: `${appUrl}/api/mails/end`, page: `${appUrl}${paths.endMails}` });
  return (userId) => endOf(`${userId}.${kind}`);
}

/** Links with a signed token of what they unsubscribe from. */
export async function signUnsubscribeLinks(
  db: Reader,
  { oneClick, page }: UnsubscribeLinks,
): Promise<(payload: string) => UnsubscribeLinks> {
  const signatureOf = await createSigner(db, 'mails', digits);
  return (payload) => {
    const token = `${payload}.${signatureOf(payload)}`;
    return { oneClick: `${oneClick}?token=${token}`, page: `${page}?token=${token}` };
  };
}

/** The user and kind of a token. Throws `link_not_valid` if its signature is invalid. */
export async function verifyUnsubscribeToken(db: Reader, token: string): Promise<{ userId: string; kind: MailKind }> {
  const [userId = '', kind = ''] = (await verifySignedToken(db, token)).split('.');
  if (!isKind(kind)) throw new AppError('link_not_valid');
  return { userId, kind };
}

/** The signed text of a token. Throws `link_not_valid` if its signature is invalid. */
export async function verifySignedToken(db: Reader, token: string): Promise<string> {
  const at = token.lastIndexOf('.');
  const payload = token.slice(0, Math.max(0, at));
  if (!(await isValidSignature(db, 'mails', payload, token.slice(at + 1), digits))) throw new AppError('link_not_valid');
  return payload;
}
