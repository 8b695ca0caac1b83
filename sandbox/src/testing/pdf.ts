import { inflateSync } from 'node:zlib';

/** The text of a PDF file as copied by a reader, by its tables from glyphs to characters. */
export function readPdfText(pdf: Buffer): string {
  const objects = new Map<string, string>();
  for (const [, id = '', body = ''] of pdf.toString('latin1').matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const start = body.indexOf('stream\n');
    const stream = start < 0 ? '' : body.slice(start + 7, body.lastIndexOf('\nendstream'));
    const plain = body.includes('/FlateDecode') ? inflateSync(Buffer.from(stream, 'latin1')).toString('latin1') : stream;
    objects.set(id, start < 0 ? body : body.slice(0, start) + plain);
  }
  const tables = new Map<string, string[]>();
  for (const body of objects.values()) {
    for (const [, name = '', font = ''] of body.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const table = objects.get(/\/ToUnicode (\d+) 0 R/.exec(objects.get(font) ?? '')?.[1] ?? '') ?? '';
      const list = /beginbfrange[\s\S]*?\[([\s\S]*?)\]/.exec(table)?.[1] ?? '';
      tables.set(
        name,
        [...list.matchAll(/<([\da-f ]*)>/gi)].map(([, hex = '']) => Buffer.from(hex, 'hex').swap16().toString('utf16le')),
      );
    }
  }
  let text = '';
  let table: string[] = [];
  for (const body of objects.values()) {
    for (const [part, font, shown] of body.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
      if (font) table = tables.get(font) ?? [];
      if (!part.endsWith('TJ')) continue;
      for (const [, hex = ''] of (shown ?? '').matchAll(/<([\da-f]*)>/gi)) {
        for (const glyph of hex.match(/.{4}/g) ?? []) text += table[parseInt(glyph, 16)] ?? '';
      }
      text += '\n';
    }
  }
  return text;
}

/** The number of pages. */
export const readPdfPages = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length;
