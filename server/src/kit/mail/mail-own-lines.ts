import { formatOperator } from '@handwise/contract/site/operator';
import { site } from '@handwise/contract/site/site';
import type { Line } from './mail-lines.ts';
import { formatGreeting } from './mail.ts';

// Recognises lines of our emails in a reply, by the sentences, links and addresses in them. Each line is matched by linear patterns.

/** What our emails say to the writer of a reply. */
export type OwnText = {
  appUrl: string;
  /** The writer's name, as our emails greet it. */
  reader: string;
  /** Addresses that our emails come from and that replies go to. */
  ourAddresses: string[];
  /** The accounts' and businesses' addresses of both sides, which no message may show. */
  privateAddresses: string[];
  /** Tokens in our links and addresses. */
  secrets: string[];
  /** Sentences of our emails. */
  sentences: string[];
  /** The conversation's messages and the listing's title. */
  messages: string[];
  /** The subject of the reply. */
  subject: string;
};

const maxLineLength = 20_000;

// Marks that mail programs add without the writer. Joiners stay, because emoji and several scripts need them.
export const invisible = /[\u00ad\u061c\u115f\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufffc]/g;

/** A line as it is compared: without case, marks of emphasis, and differences between typographic and plain characters. */
export const toKey = (text: string) =>
  text
    .slice(0, maxLineLength)
    .normalize('NFKC')
    .replaceAll(invisible, '')
    .toLowerCase()
    .replaceAll(/[\u2018\u2019\u201b]/g, "'")
    .replaceAll(/[\u201c-\u201f\u00ab\u00bb]/g, '"')
    .replaceAll(/%3a/g, ':')
    .replaceAll(/%2f/g, '/')
    .replaceAll(/%3f/g, '?')
    .replaceAll(/%3d/g, '=')
    .replaceAll(/[*_\s]+/g, ' ')
    .trim();

const toKeys = (texts: readonly string[]) => texts.flatMap((text) => text.split('\n').map(toKey)).filter((key) => key !== '');

/** Shorter pieces of our sentences could be the writer's own words. */
const minPiece = 20;
const minMessagePiece = 12;
const minSecretPiece = 12;
const minLinkPiece = 4;

const unsubscribeLink = /\/mails\/(?:end|[a-z]{1,20})\?token=/;

/** Recognises lines of our emails. */
export class OwnLines {
  readonly #own: OwnText;
  readonly #greetings: ReadonlySet<string>;
  readonly #sentences: string[];
  readonly #allSentences: string;
  readonly #allMessages: string;
  readonly #shortMessages: ReadonlySet<string>;
  readonly #secrets: string;
  readonly #addresses: string[];
  readonly #footers: string[];
  /** What stands around the text of an email, as its plain part has it. */
  readonly #furniture: string;

  constructor(own: OwnText) {
    this.#own = own;
    // Emails from before the greeting was by first name are still answered.
    this.#greetings = new Set([formatGreeting(own.reader), `Kia ora ${own.reader}`].map(toKey));
    this.#sentences = toKeys(own.sentences);
    this.#allSentences = this.#sentences.join(' ');
    const messages = toKeys(own.messages);
    this.#allMessages = messages.join(' ');
    this.#shortMessages = new Set(messages);
    this.#secrets = own.secrets.join(' ').toLowerCase();
    this.#addresses = own.ourAddresses.map((one) => one.toLowerCase());
    this.#footers = [
      toKey(`${site.name} · ${own.appUrl}`),
      toKey(formatOperator()),
      toKey('Stop emails of this kind'),
      toKey('You get this email because'),
    ];
    this.#furniture = [...this.#footers, new URL(own.appUrl).host, 'reply:', 'reply', 'stop emails of this kind:', '[a picture]'].join(' ');
  }

  /** A line of the end of our emails, or one that no message may show. */
  isEnd(line: Line): boolean {
    const keys = [line.text, ...line.links].map(toKey);
    return keys.some((key) => unsubscribeLink.test(key) || this.#footers.some((footer) => key.includes(footer)) || this.#hasSecret(key));
  }

  /** A line that only our emails have. */
  isOurs(line: Line): boolean {
    const key = toKey(line.text);
    if (key === '') return this.isEnd(line);
    if (this.#greetings.has(key.replace(/[ ,.!:]{1,3}$/, ''))) return true;
    if (this.#sentences.some((sentence) => key === sentence || (sentence.length >= minPiece && key.includes(sentence)))) return true;
    return (key.length >= minPiece && this.#allSentences.includes(key)) || this.isEnd(line);
  }

  /** A line that a quoted email of ours may have. */
  isOfConversation(line: Line): boolean {
    const key = toKey(line.text);
    if (key === '') return false;
    return this.isOurs(line) || this.isOfMessage(line) || this.namesUs(key) || key.includes(toKey(this.#own.appUrl));
  }

  /** A line of a message of the conversation. */
  isOfMessage(line: Line): boolean {
    const key = toKey(line.text);
    return this.#shortMessages.has(key) || (key.length >= minMessagePiece && this.#allMessages.includes(key));
  }

  /** A part of our email that a mail program broke off, however short. */
  isFragment(line: Line): boolean {
    const key = ` ${toKey(line.text)} `;
    return ` ${this.#allSentences} ${this.#allMessages} ${this.#furniture} `.includes(key);
  }

  /** A link to our site, or the rest of one that a mail program broke. */
  isPieceOfLink(line: Line): boolean {
    const host = new URL(this.#own.appUrl).host;
    if (line.links.some((link) => toKey(link).includes(host))) return true;
    const key = toKey(line.text).replaceAll(/[^a-z\d]/g, '');
    return key.length >= minLinkPiece && !toKey(line.text).includes(' ') && this.#secrets.replaceAll(/[^a-z\d]/g, '').includes(key);
  }

  isMessage(text: string): boolean {
    const key = toKey(text).replace(/(?:\.{3}|…)$/, '');
    return this.#shortMessages.has(key) || (key.length >= minMessagePiece && `${this.#allMessages} ${this.#allSentences}`.includes(key));
  }

  namesUs = (key: string) => this.#addresses.some((one) => key.includes(one)) || key === site.name.toLowerCase();

  mentionsUs = (key: string) => this.namesUs(key) || key.includes(site.name.toLowerCase());

  isReplysSubject(key: string): boolean {
    const subject = toKey(this.#own.subject).replace(/^(?:[^\s:]{1,6}(?:\[\d{1,3}\])? ?: ?){1,5}/, '');
    return subject.length >= 4 && key.includes(subject);
  }

  #hasSecret = (key: string) =>
    this.#secrets !== '' && key.split(/[^a-z\d]+/).some((word) => word.length >= minSecretPiece && this.#secrets.includes(word));
}
