import { defineJob } from '../jobs/jobs.ts';

export type MailBlock =
  /** A paragraph. Line breaks are kept, here and in quotes. */
  | { kind: 'text'; text: string }
  | { kind: 'heading'; text: string }
  | { kind: 'facts'; rows: { label: string; value: string; strong?: boolean }[] }
  /** An absolute `url`. */
  | { kind: 'button'; label: string; url: string }
  /** Links, each with a description. */
  | { kind: 'links'; rows: { label: string; url: string; text: string }[] }
  /** Text by another user. */
  | { kind: 'quote'; text: string }
  /** Machine-readable text, whose lines are never broken or joined. */
  | { kind: 'fixed'; label: string; text: string }
  /** Small print. */
  | { kind: 'note'; text: string };

export type Mail = {
  /** One address, without a name. */
  to: string;
  /** One address, without a name. */
  replyTo?: string;
  subject: string;
  /** Preview text beside the subject. */
  preview: string;
  /** "Kia ora Mere," above everything else. */
  greeting?: string;
  blocks: MailBlock[];
  /**
   * For mails that someone other than the reader can cause: at most so many of this kind per hour go to a mailbox, the others are dropped. Without it
   * every mail is sent.
   */
  limit?: { kind: string; perHour: number };
  /** Checked before each attempt to send; the mail is dropped once the check fails for `key`. */
  onlyIf?: { check: keyof MailChecks; key: string };
  /** Composed again before each attempt to send, because what it says may have changed meanwhile; null drops it. */
  source?: { name: keyof MailSources; key: string };
  /** Unsubscribe links: the URL that mail programs post to (RFC 8058), and the page for people. `label` if it covers less than a kind of mails. */
  end?: { oneClick: string; page: string; label?: string };
  /** An iCalendar file, which mail programs add to the reader's calendar, move there or remove (RFC 6047). */
  calendar?: { method: 'REQUEST' | 'CANCEL'; content: string };
  /** Why the reader gets this mail, as a sentence in the footer. */
  reason?: string;
};

/** Whether a queued mail is still to be sent, as its domain says; `serve.ts` wires them. */
export type MailChecks = {
  invitation_open: (key: string) => Promise<boolean>;
  /** The key is a Monday and a time zone: "2026-12-07 Pacific/Auckland". */
  week_ahead: (key: string) => Promise<boolean>;
  /** The key is a visit and its number in calendars, with a space. */
  visit_ahead: (key: string) => Promise<boolean>;
  /** The key is a conversation. */
  review_wanted: (key: string) => Promise<boolean>;
};

/** Where mails come from that say something else once they waited; `serve.ts` wires them. */
export type MailSources = {
  /** `noteSent` is called once the mail server has the mail. Both may be called twice for a mail. */
  renewal: { compose: (key: string) => Promise<Mail | null>; noteSent: (key: string) => Promise<void> };
};

/**
 * The outbox: `jobs.send(tx, sendMail, mail)` adds a mail to the transaction that causes it. It is sent after the commit, at least once, and retried
 * for over three days if the mail server does not answer.
 */
export const sendMail = defineJob<Mail>('mail.send-email', {
  retryLimit: 160,
  retryDelaySeconds: 15,
  retryDelayMaxSeconds: 1_800,
  // As many as the connections to the mail server.
  concurrency: 5,
  expireSeconds: 300,
});

// A dot, or what browsers take for one, before a further part of a web address, but not in "3.5 m" and "J.R. Ortiz".
const addressDot = /(?<=[\p{L}\p{N}-])[.\u3002\uff0e\uff61\u2024](?=\p{L}{2})|(?<=\bwww)\.(?=\S)/giu;

/**
 * User input for a subject or another header: one line without control or direction characters, of at most so many graphemes. A space in
 * web and email addresses keeps mail programs from making links of them.
 */
export function headerText(text: string, maxLength: number): string {
  const plain = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Z}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replaceAll(addressDot, (dot) => `${dot} `)
    .replaceAll('://', ': //')
    .trim();
  const characters = Array.from(new Intl.Segmenter('en').segment(plain), ({ segment }) => segment);
  return characters.length <= maxLength
    ? plain
    : `${characters
        .slice(0, maxLength - 1)
        .join('')
        .trimEnd()}…`;
}

/**
 * The greeting of a mail, by first name. A person who registers with another's address chooses a name that the other reads, so names that could be a
 * URL, a phone number or a sentence are left out.
 */
export function formatGreeting(name: string): string {
  if (name.length > 40 || !/^\p{L}([\p{L}\p{M} '’-]|\.(?= |$))*$/u.test(name)) return 'Kia ora';
  const [first = ''] = name.split(' ');
  // "Dr." and "J." are no first names.
  return `Kia ora ${first.endsWith('.') ? name : first}`;
}
