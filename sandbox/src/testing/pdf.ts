import { inflateSync } from 'node:zlib';

type PdfFont = { characters: string[]; widths: number[] };

/** Objects by number, with their streams inflated. */
function readObjects(pdf: Buffer): Map<string, string> {
  const objects = new Map<string, string>();
  for (const [, id = '', body = ''] of pdf.toString('latin1').matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const start = body.indexOf('stream\n');
    const stream = start < 0 ? '' : body.slice(start + 7, body.lastIndexOf('\nendstream'));
    const plain = body.includes('/FlateDecode') ? inflateSync(Buffer.from(stream, 'latin1')).toString('latin1') : stream;
    objects.set(id, start < 0 ? body : body.slice(0, start) + plain);
  }
  return objects;
}

function readFonts(objects: ReadonlyMap<string, string>): Map<string, PdfFont> {
  const fonts = new Map<string, PdfFont>();
  const follow = (body: string, key: string) => objects.get(new RegExp(`/${key} \\[?(\\d+) 0 R`).exec(body)?.[1] ?? '') ?? '';
  for (const body of objects.values()) {
    for (const [, name = '', id = ''] of body.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const font = objects.get(id) ?? '';
      const lists = [...follow(font, 'ToUnicode').matchAll(/<[\da-f]+> <[\da-f]+> \[([^\]]*)\]/gi)].map(([, list = '']) => list);
      fonts.set(name, {
        characters: lists.flatMap((list) =>
          [...list.matchAll(/<([\da-f ]*)>/gi)].map(([, hex = '']) => fromUtf16(Buffer.from(hex.replaceAll(' ', ''), 'hex'))),
        ),
        widths: (/\/W \[0 \[([^\]]*)\]/.exec(follow(font, 'DescendantFonts'))?.[1] ?? '').trim().split(/\s+/).map(Number),
      });
    }
  }
  return fonts;
}

const fromUtf16 = (bytes: Buffer) => Buffer.from(bytes).swap16().toString('utf16le');
const rightToLeft = /[\p{sc=Arabic}\p{sc=Hebrew}]/u;

/** A string of a content stream. */
function readString(literal: string): string {
  const plain = literal.replace(/\\([nrtbf()\\])/g, (_, char: string) => ({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' })[char] ?? char);
  return plain.startsWith('\u00fe\u00ff') ? fromUtf16(Buffer.from(plain.slice(2), 'latin1')) : plain;
}

/**
 * The text of a PDF file as copied by a reader, by its tables from glyphs to characters and by the texts that it states. What follows closely on a
 * line is joined.
 */
export function readPdfText(pdf: Buffer): string {
  const objects = readObjects(pdf);
  const fonts = readFonts(objects);
  const operators =
    /(?<begin>\bBT\b)|\/Span <<\s*\/ActualText \((?<actual>(?:\\.|[^\\)])*)\)\s*>> BDC|1 0 0 1 (?<x>[-\d.]+) (?<y>[-\d.]+) Tm|\/(?<font>F\d+) (?<size>[\d.]+) Tf|\[(?<shown>[^\]]*)\] TJ|(?<end>\bET\b)/gs;
  let text = '';
  for (const body of objects.values()) {
    let [end, line] = [0, Number.NaN];
    // Of the text object, which has one font and is one run of a line.
    let [x, y, size, width]: [number | undefined, number, number, number] = [undefined, 0, 0, 0];
    let [font, actual, characters]: [PdfFont | undefined, string | undefined, string[]] = [undefined, undefined, []];
    for (const { groups = {} } of body.matchAll(operators)) {
      if (groups['begin']) [x, actual, characters, width] = [undefined, undefined, [], 0];
      else if (groups['actual'] !== undefined) actual = readString(groups['actual']);
      else if (groups['x'] !== undefined) {
        if (x === undefined) [x, y] = [Number(groups['x']), Number(groups['y'])];
      } else if (groups['font'] !== undefined) [font, size] = [fonts.get(groups['font']), Number(groups['size'])];
      else if (groups['shown'] !== undefined) {
        const codes = listGlyphs(groups['shown']).map((glyph) => parseInt(glyph, 16));
        characters.push(...codes.map((code) => font?.characters[code] ?? ''));
        width += codes.reduce((sum, code) => sum + (font?.widths[code] ?? 0), 0) * (size / 1000);
      } else if (x !== undefined) {
        if (y !== line || x - end > size) text += '\n';
        text += actual ?? (rightToLeft.test(characters.join('')) ? characters.toReversed() : characters).join('');
        [line, end] = [y, x + width];
      }
    }
  }
  return `${text}\n`;
}

const listGlyphs = (shown: string) => [...shown.matchAll(/<([\da-f]*)>/gi)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []);

/** How many glyphs show that their font lacks a character. */
export const countMissingGlyphs = (pdf: Buffer): number =>
  [...readObjects(pdf).values()]
    .flatMap((body) => [...body.matchAll(/\[([^\]]*)\] TJ/g)].flatMap(([, shown = '']) => listGlyphs(shown)))
    .filter((glyph) => glyph === '0000').length;

/** The number of pages. */
export const readPdfPages = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length;
