import { type MailKind, mailKinds } from '@handwise/contract/mail-preferences';
import { paths } from '@handwise/contract/paths';
import { sql } from 'kysely';
import type { Reader } from '../database/database.ts';
import { AppError } from '../errors.ts';
import type { Mail } from './mail.ts';
import { isSigned, signerOf } from '../secrets/signatures.ts';

const digits = 32;

const isKind = (text: string): text is MailKind => Object.hasOwn(mailKinds, text);

/** Whether somebody gets mails of this kind. */
export async function getsMails(db: Reader, userId: string, kind: MailKind): Promise<boolean> {
  const ended = await db.selectFrom('ended_mails').select('kind').where('user_id', '=', userId).where('kind', '=', kind).executeTakeFirst();
  return ended === undefined;
}

/** Who of these gets no mails of this kind. */
export async function listEnded(db: Reader, userIds: readonly string[], kind: MailKind): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('ended_mails')
    .select('user_id')
    .where('user_id', '=', sql<string>`any(${[...userIds]}::uuid[])`)
    .where('kind', '=', kind)
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

export async function setMails(db: Reader, userId: string, kind: MailKind, on: boolean): Promise<void> {
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

/** Which mails somebody who leaves had ended. */
export const forgetMails = (db: Reader, userId: string) => db.deleteFrom('ended_mails').where('user_id', '=', userId).execute();

export const preferenceOf = (kind: MailKind, on: boolean) => ({ kind, text: mailKinds[kind], on });

export async function listMails(db: Reader, userId: string) {
  const ended = new Set((await db.selectFrom('ended_mails').select('kind').where('user_id', '=', userId).execute()).map((row) => row.kind));
  return Object.keys(mailKinds)
    .filter(isKind)
    .map((kind) => preferenceOf(kind, !ended.has(kind)));
}

type WaysToEnd = NonNullable<Mail['end']>;

/** How the reader of a mail ends such mails without signing in, for the mail's `end`. */
export const waysToEnd = async (db: Reader, appUrl: string, userId: string, kind: MailKind): Promise<WaysToEnd> =>
  (await waysToEndOf(db, appUrl, kind))(userId);

/** The same for many readers. */
export async function waysToEndOf(db: Reader, appUrl: string, kind: MailKind): Promise<(userId: string) => WaysToEnd> {
  const endOf = await endsBySaying(db, { oneClick: `${appUrl}/api/mails/end`, page: `${appUrl}${paths.endMails}` });
  return (userId) => endOf(`${userId}.${kind}`);
}

/** How mails are ended at these addresses: each link says what it ends, and proves that we wrote it. */
export async function endsBySaying(db: Reader, { oneClick, page }: WaysToEnd): Promise<(said: string) => WaysToEnd> {
  const signatureOf = await signerOf(db, 'mails', digits);
  return (said) => {
    const token = `${said}.${signatureOf(said)}`;
    return { oneClick: `${oneClick}?token=${token}`, page: `${page}?token=${token}` };
  };
}

/** Whose mails of which kind a token speaks of. Throws `link_not_valid` where it is none of ours. */
export async function readEndToken(db: Reader, token: string): Promise<{ userId: string; kind: MailKind }> {
  const [userId = '', kind = ''] = (await readSaid(db, token)).split('.');
  if (!isKind(kind)) throw new AppError('link_not_valid');
  return { userId, kind };
}

/** What a token says that we wrote. Throws `link_not_valid` where it is none of ours. */
export async function readSaid(db: Reader, token: string): Promise<string> {
  const at = token.lastIndexOf('.');
  const said = token.slice(0, Math.max(0, at));
  if (!(await isSigned(db, 'mails', said, token.slice(at + 1), digits))) throw new AppError('link_not_valid');
  return said;
}
