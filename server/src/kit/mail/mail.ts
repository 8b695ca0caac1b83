import { defineJob } from '../jobs/jobs.ts';

export type MailBlock =
  /** A paragraph. Line breaks are kept, here and in quotes. */
  | { kind: 'text'; text: string }
  | { kind: 'heading'; text: string }
  | { kind: 'facts'; rows: { label: string; value: string; strong?: boolean }[] }
  /** `url` in full, beginning with http. */
  | { kind: 'button'; label: string; url: string }
  /** Where to look, each with a few words beside it. */
  | { kind: 'links'; rows: { label: string; url: string; text: string }[] }
  /** What somebody else wrote. */
  | { kind: 'quote'; text: string }
  /** Text that programs read again: its lines are never broken or joined. `label` says what it is. */
  | { kind: 'fixed'; label: string; text: string }
  /** Small print. */
  | { kind: 'note'; text: string };

export type Mail = {
  /** One address, without a name. */
  to: string;
  /** One address, without a name. */
  replyTo?: string;
  subject: string;
  /** What a mailbox shows beside the subject. */
  preview: string;
  /** "Kia ora Mere," above everything else. */
  greeting?: string;
  blocks: MailBlock[];
  /**
   * For mails that somebody can cause who is not the reader: no more than so many of this kind an hour go to one mailbox, the others are
   * dropped. Without it every mail goes out.
   */
  limit?: { kind: string; perHour: number };
  /** How the reader ends such mails: the address that a mail program posts to (RFC 8058), and the page for people. `label` where it ends less than a kind of mails. */
  end?: { oneClick: string; page: string; label?: string };
  /** Why the reader gets this mail, as a sentence at its foot. */
  reason?: string;
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
