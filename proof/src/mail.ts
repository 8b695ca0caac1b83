import { type SignedHead, noteOf, parseHead } from './checkpoint.ts';

// A head in whatever somebody has of a mail: its source, or what a mail program let them copy. Programs break lines, put marks of
// quoting before them, write addresses a second time and encode what they like; the signature says whether the parts were put
// together as they were sent.

const utf8 = new TextEncoder();

/** Quoted-printable as text. */
function fromQuotedPrintable(text: string): string {
  const bytes: number[] = [];
  for (const part of text.replace(/=[ \t]*\r?\n/g, '').split(/(=[\dA-F]{2})/i)) {
    if (/^=[\dA-F]{2}$/i.test(part)) bytes.push(Number.parseInt(part.slice(1), 16));
    else for (const byte of utf8.encode(part)) bytes.push(byte);
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** What stands in base64 in a mail's source: whole lines of it in a row. */
function fromBase64Blocks(text: string): string[] {
  const blocks = text.match(/(?:^[A-Za-z\d+/]{4,}={0,2}[ \t]*(?:\r?\n|$))+/gm) ?? [];
  return blocks.flatMap((block) => {
    const digits = block.replace(/\s/g, '');
    if (digits.length < 100 || digits.length % 4 !== 0 || !/^[^=]+={0,2}$/.test(digits)) return [];
    return new TextDecoder().decode(Uint8Array.from(atob(digits), (character) => character.charCodeAt(0)));
  });
}

/** Without marks of quoting, and then without tags and addresses in angle brackets. */
function plain(text: string): string[] {
  const unquoted = text.replace(/^[ \t]*(?:>[ \t]?)+/gm, '');
  return [unquoted, unquoted.replace(/<[^<>]*>/g, ' ')];
}

// Origin, size, root, a dash in whatever disguise, the origin again, the signature. Blanks and line ends may stand within the last.
const head =
  /(?<!\S)([^\s+]{1,253}\/draws\/\d{4}-\d\d)\s+(\d{1,16})\s+((?:[A-Za-z\d+/]\s*){43}=)\s+\S{1,12}\s+\1\s+((?:[A-Za-z\d+/]\s*){91}=)/g;

/** Every head in the text, each once, whether its signature holds or not. */
export function findHeads(text: string): SignedHead[] {
  const found = new Map<string, SignedHead>();
  for (const reading of [text, fromQuotedPrintable(text), ...fromBase64Blocks(text)].flatMap(plain)) {
    for (const [, origin = '', size = '', root = '', signed = ''] of reading.matchAll(head)) {
      const note = `${origin}\n${size}\n${root.replace(/\s/g, '')}\n\n— ${origin} ${signed.replace(/\s/g, '')}\n`;
      const read = parseHead(note);
      if (read) found.set(noteOf(read), read);
    }
  }
  return [...found.values()];
}
