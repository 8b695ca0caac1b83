import { defineJob } from './jobs.ts';

export type MailBlock =
  | { kind: 'text'; text: string }
  | { kind: 'heading'; text: string }
  | { kind: 'facts'; rows: { label: string; value: string; strong?: boolean }[] }
  | { kind: 'button'; label: string; url: string }
  | { kind: 'quote'; text: string }
  | { kind: 'note'; text: string };

export type Mail = {
  /** One address, without a name. */
  to: string;
  replyTo?: string;
  subject: string;
  /** What a mailbox shows beside the subject. */
  preview: string;
  greeting?: string;
  blocks: MailBlock[];
};

/**
 * The outbox: `jobs.send(tx, sendMail, mail)` puts a mail into the transaction that causes it. It goes out afterwards, at
 * least once, and is tried for over three days while the mail server does not answer.
 */
export const sendMail = defineJob<Mail>('mail.send', {
  retryLimit: 160,
  retryDelaySeconds: 15,
  retryDelayMaxSeconds: 1_800,
  concurrency: 10,
  expireSeconds: 300,
});
