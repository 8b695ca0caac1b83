import type { Logger } from 'pino';
import type { Db } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { countAttempt, uncountAttempt } from '../identity/attempts.ts';
import type { Mailer } from './mail-transport.ts';
import type { Mail, MailChecks, MailSources } from './mail.ts';
import { normalizeMailbox } from './mailbox.ts';

const hour = 60 * 60;

/**
 * Sends mails, and drops those beyond a mailbox's hourly `limit` and those that are no longer wanted. Mails without a limit or a check, such as
 * receipts, are never dropped.
 */
export function createThrottledSender(parts: {
  db: Db;
  mailer: Pick<Mailer, 'send'>;
  logger: Logger;
  checks: MailChecks;
  sources: MailSources;
}): (mail: Mail, id: string) => Promise<void> {
  const { db, mailer, logger, checks, sources } = parts;
  return async (queued, id) => {
    const source = queued.source && sources[queued.source.name];
    const key = queued.source?.key ?? '';
    const mail = source ? await source.compose(key) : queued;
    if (!mail) return;
    await send(mail, id);
    await source?.noteSent(key);
  };

  async function send(mail: Mail, id: string): Promise<void> {
    // The placeholder address of a deleted account.
    if (mail.to.toLowerCase().endsWith('.invalid')) return;
    const { limit, onlyIf } = mail;
    if (onlyIf && !(await checks[onlyIf.check](onlyIf.key))) return;
    if (!limit) return mailer.send(mail, id);
    const key = `mail:${limit.kind} to ${normalizeMailbox(mail.to)}`;
    try {
      await countAttempt(db, key, { max: limit.perHour, windowSeconds: hour });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'too_many_requests')) throw error;
      logger.warn({ id, kind: limit.kind }, 'dropped an email, because its recipient has reached the limit for emails of its kind');
      return;
    }
    try {
      await mailer.send(mail, id);
    } catch (error) {
      // A failed attempt does not count, because it is retried.
      await uncountAttempt(db, key);
      throw error;
    }
  }
}
