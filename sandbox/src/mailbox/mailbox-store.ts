import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

type Address = { address: string; name: string };

/** An email in the format of maildev's API. Times are ISO 8601 in UTC. */
export type StoredMail = {
  id: string;
  messageId: string;
  subject: string;
  from: Address[];
  to: Address[];
  cc: Address[];
  replyTo: Address[];
  headers: Record<string, string>;
  html: string;
  text: string;
  /** The sender's date, and the time received. */
  date: string;
  time: string;
  read: boolean;
  envelope: { from: { address: string }; to: { address: string }[]; host: string; remoteAddress: string };
  attachments: { fileName: string; contentType: string; contentId: string | null; length: number }[];
  size: number;
};

export type Summary = Pick<StoredMail, 'id' | 'subject' | 'from' | 'to' | 'time' | 'read'>;

const maxMails = 1_000;

/** Stores the newest thousand emails in a file, which survives a restart. */
export class MailboxStore {
  readonly #db: DatabaseSync;
  #version = 0;

  constructor(file: string) {
    mkdirSync(dirname(file), { recursive: true });
    this.#db = new DatabaseSync(file);
    this.#db.exec(`
      pragma journal_mode = wal;
      pragma synchronous = normal;
      create table if not exists mails (
        number integer primary key autoincrement,
        id text not null unique,
        read integer not null default 0,
        summary text not null,
        content text not null
      );`);
  }

  /** Changes with every write. */
  get version() {
    return this.#version;
  }

  add(mail: StoredMail): void {
    const { id, subject, from, to, time } = mail;
    this.#change(
      'insert into mails (id, summary, content) values (?, ?, ?)',
      id,
      JSON.stringify({ id, subject, from, to, time }),
      JSON.stringify(mail),
    );
    this.#change('delete from mails where number <= (select max(number) from mails) - ?', maxMails);
  }

  /** Newest last. */
  all(): StoredMail[] {
    return this.#rows<StoredMail>('select content as json, read from mails order by number');
  }

  /** Newest last. */
  summaries(): Summary[] {
    return this.#rows<Summary>('select summary as json, read from mails order by number');
  }

  /** Marks the mail as read. */
  open(id: string): StoredMail | undefined {
    const [mail] = this.#rows<StoredMail>('select content as json, read from mails where id = ?', id);
    if (mail && !mail.read) this.#change('update mails set read = 1 where id = ?', id);
    return mail && { ...mail, read: true };
  }

  /** False if there is no such mail. */
  delete(id: string): boolean {
    return this.#change('delete from mails where id = ?', id) > 0;
  }

  deleteAll(): void {
    this.#change('delete from mails');
  }

  close(): void {
    this.#db.close();
  }

  #change(sql: string, ...values: (string | number)[]) {
    this.#version += 1;
    return Number(this.#db.prepare(sql).run(...values).changes);
  }

  #rows<Row>(sql: string, ...values: string[]) {
    const rows = this.#db.prepare(sql).all(...values) as { json: string; read: number }[];
    return rows.map(({ json, read }) => ({ ...(JSON.parse(json) as Row), read: read === 1 }));
  }
}
