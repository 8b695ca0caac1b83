import { areBytesEqual } from './bytes.ts';
import { type SignedHead, formatNote, parseHead, verifyHead } from './checkpoint.ts';

// Finds heads in an email's source or in text copied from a mail program. Programs break and quote lines, repeat addresses and encode text; the
// signature shows whether the head was reassembled correctly.

const utf8 = new TextEncoder();

function fromQuotedPrintable(text: string): string {
  const bytes: number[] = [];
  for (const part of text.replace(/=[ \t]*\r?\n/g, '').split(/(=[\dA-F]{2})/i)) {
    if (/^=[\dA-F]{2}$/i.test(part)) bytes.push(Number.parseInt(part.slice(1), 16));
    else for (const byte of utf8.encode(part)) bytes.push(byte);
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** Decodes runs of whole base64 lines in an email's source. */
function fromBase64Blocks(text: string): string[] {
  const blocks = text.match(/(?:^[A-Za-z\d+/]{4,}={0,2}[ \t]*(?:\r?\n|$))+/gm) ?? [];
  return blocks.flatMap((block) => {
    const digits = block.replace(/\s/g, '');
    if (digits.length < 100 || digits.length % 4 !== 0 || !/^[^=]+={0,2}$/.test(digits)) return [];
    return new TextDecoder().decode(Uint8Array.from(atob(digits), (character) => character.charCodeAt(0)));
  });
}

/** The text without quote marks, and additionally without tags and addresses in angle brackets. */
function plain(text: string): string[] {
  const unquoted = text.replace(/^[ \t]*(?:>[ \t]?)+/gm, '');
  return [unquoted, unquoted.replace(/<[^<>]*>/g, ' ')];
}

// Origin, size, root, any dash, the origin again, the signature. Root and signature may contain white space.
const head =
  /(?<!\S)([^\s+]{1,253}\/draws\/\d{4}-\d\d)\s+(\d{1,16})\s+((?:[A-Za-z\d+/]\s*){43}=)\s+\S{1,12}\s+\1\s+((?:[A-Za-z\d+/]\s*){91}=)/g;

/** Every distinct head in the text, without verifying signatures. */
export function findHeads(text: string): SignedHead[] {
  const found = new Map<string, SignedHead>();
  for (const reading of [text, fromQuotedPrintable(text), ...fromBase64Blocks(text)].flatMap(plain)) {
    for (const [, origin = '', size = '', root = '', signed = ''] of reading.matchAll(head)) {
      const note = `${origin}\n${size}\n${root.replace(/\s/g, '')}\n\n— ${origin} ${signed.replace(/\s/g, '')}\n`;
      const read = parseHead(note);
      if (read) found.set(formatNote(read), read);
    }
  }
  return [...found.values()];
}

/** The log that emails are checked against; `rootAt` is undefined for unknown sizes. */
type Log = { origin: string; publicKey: string; size: number; rootAt: (size: number) => Uint8Array | undefined };

/** Checks that each head in an email is signed and covers a prefix of the log. `unknown` is the fault if the root at that size is unknown. */
export function checkMailedHeads(mail: string, log: Log, unknown: string): { faults: string[]; details: string[] } {
  const heads = findHeads(mail);
  if (heads.length === 0) return { faults: ['there is no head of a ticket log in the email'], details: [] };
  const own = heads.filter(({ origin }) => origin === log.origin);
  if (own.length === 0) return { faults: [`the email’s head is of ${heads[0]?.origin}, not of ${log.origin}`], details: [] };
  const faults = own.flatMap((head) => {
    const name = `the email’s head of ${head.size} leaves`;
    if (!verifyHead(head, log.publicKey)) return [`${name} is not signed with the key of this log`];
    if (head.size > log.size) return [`${name} is longer than the finished log, which has ${log.size}: leaves were removed`];
    const root = log.rootAt(head.size);
    if (!root) return [`${name} ${unknown}`];
    return areBytesEqual(root, head.root) ? [] : [`${name} is not the start of this log: the log was changed after that`];
  });
  return { faults, details: own.map(({ size }) => `the email was sent when the log had ${size} of ${log.size} leaves`) };
}
