import type { Logger } from 'pino';
import { countAttempt, giveBackAttempt } from '../identity/attempts.ts';
import type { Db } from '../database/database.ts';
import { AppError } from '../errors.ts';
import type { Mailer } from './mail-transport.ts';
import type { Mail } from './mail.ts';
import { mailboxOf } from './mailbox.ts';

const hour = 60 * 60;

/**
 * Hands mails to the mail server, and drops what a mailbox gets too much of within an hour. Only mails with a `limit` are ever
 * dropped: receipts and whatever else a reader must get has none.
 */
export function limitedSender(parts: { db: Db; mailer: Mailer; logger: Logger }): (mail: Mail, id: string) => Promise<void> {
  const { db, mailer, logger } = parts;
  return async (mail, id) => {
    // Nobody has a mailbox there: whoever had this address has left.
    if (mail.to.toLowerCase().endsWith('.invalid')) return;
    const { limit } = mail;
    if (!limit) return mailer.send(mail, id);
    const key = `mail:${limit.kind} to ${mailboxOf(mail.to)}`;
    try {
      await countAttempt(db, key, { max: limit.perHour, windowSeconds: hour });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'too_many_requests')) throw error;
      logger.warn({ id, kind: limit.kind }, 'a mailbox got enough mails of this kind: this one is dropped');
      return;
    }
    try {
      await mailer.send(mail, id);
    } catch (error) {
      // It will be tried again, and counts when it goes out.
      await giveBackAttempt(db, key);
      throw error;
    }
  };
}
