import Pdf from 'pdfkit';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { site } from '@handwise/contract/site/site';
import { openFonts, type Weight } from './pdf-fonts.ts';
import { layOut, type Line, listUnprintable, type Measure } from './pdf-text.ts';

// The logo's path on the web, in a 40 × 40 tile.
const logoLine =
  'M8.5 20.2 20 9.8l11.5 10.4M12.2 18.6v6.1c0 3.6 2.6 6.5 6.9 6.5h3.6c2.3 0 3.7-.9 5-2.5l4-4.9c1.2-1.5-.7-3.3-2.2-2.1l-3.6 2.9h-7.1';

const ink = '#0F2A2E';
const soft = '#5B6B6D';
const rule = '#DDD9CF';
const red = '#B42318';

const left = 56;
const right = 539;
const width = right - left;
const half = width / 2 - 14;
const lineGap = 3;
/** Above the foot of a page. */
const bottom = 770;

/** The content of a tax invoice, adjustment note or quote. */
export type PdfContent = {
  /** Shown at the top and in the file's metadata. */
  title: string;
  number: string;
  country: CountryCode;
  issuedAt: string;
  facts: readonly (readonly [label: string, value: string])[];
  /** Shown in red under the title. */
  remark: string | null;
  supplier: {
    name: string;
    address: string | null;
    taxNumber: string | null;
    /** Set if the document is the supplier's own: it leads with their name and logo, and the site is only named at the foot. */
    own?: { lines: readonly string[]; logo: Uint8Array | null };
  };
  customer: { name: string; email: string | null };
  lines: readonly { text: string; detail: string | null; amount: string }[];
  /** The last one is emphasised. */
  sums: readonly (readonly [label: string, value: string])[];
  notes: readonly string[];
};

const space = 0x20;

/** What is used of pdfkit's class. */
type EmbeddedFont = {
  scale: number;
  subset: { glyphs: number[] };
  widths: number[];
  unicode: number[][];
  layout: (
    text: string,
    features?: string[],
  ) => { glyphs: { id: number; advanceWidth: number; codePoints: number[] }[]; positions: unknown[] };
  encode: (text: string, features?: string[]) => [string[], unknown[]];
};

/**
 * Gives each letter a glyph of its own in the file, although a font may draw several as one shape and dots: what is copied is then what was
 * written. pdfkit would map a shape to the first letter that used it.
 */
function tellLettersApart(embedded: EmbeddedFont): void {
  const own = new Map<string, number>();
  embedded.encode = (text, features) => {
    const run = embedded.layout(text, features);
    // fontkit puts a space for a joiner that has done its work, and not every font has one.
    const isDrawn = run.glyphs.map(({ id, codePoints }) => id !== 0 || codePoints.join() !== String(space));
    const [glyphs, positions] = [run.glyphs.filter((_, at) => isDrawn[at]), run.positions.filter((_, at) => isDrawn[at])];
    const codes = glyphs.map(({ id, advanceWidth, codePoints }) => {
      const key = `${id} ${codePoints.join(' ')}`;
      // The first glyph of a font stands for what it lacks.
      const code = id === 0 ? 0 : (own.get(key) ?? embedded.subset.glyphs.push(id) - 1);
      own.set(key, code);
      embedded.widths[code] ??= advanceWidth * embedded.scale;
      embedded.unicode[code] ??= codePoints;
      return code.toString(16).padStart(4, '0');
    });
    return [codes, positions];
  };
}

const sentWith = () => `Sent with ${site.name}`;

/** A stored picture as a PDF can hold it, transparent around it; null if it cannot be read, which must not cost anybody the document. */
async function toPng(picture: Uint8Array): Promise<Buffer | null> {
  const { default: sharp } = await import('sharp');
  return sharp(picture)
    .resize(132, 132, { fit: 'inside' })
    .png()
    .toBuffer()
    .catch(() => null);
}

/** Every text of a document that is not our own. */
function listTexts(content: PdfContent): string[] {
  const list = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
        ? Object.values(value).flatMap(list)
        : [];
  return [
    ...list(content),
    ' ·?□',
    sentWith(),
    describeUnprintable(['A']),
    describeUnprintable(['A', 'B']),
    'ABCDEF0123456789+',
    site.name,
    'FromToDescriptionAmountPage of GST numberABN 0123456789',
    ...Object.values(markets).map(({ name }) => name),
  ];
}

const describeUnprintable = (characters: readonly string[]) =>
  `We cannot print ${characters.length === 1 ? 'a character' : 'some characters'} of this document. □ stands for ${characters
    .map((cluster) => Array.from(cluster, (char) => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()}`).join(' '))
    .join(', ')}.`;

/** `siteLogo`: the uploaded one. A4 pages with searchable text: one, unless the lines or notes are long. */
export async function renderPdf(content: PdfContent, siteLogo: Uint8Array | null = null): Promise<Buffer> {
  const texts = listTexts(content);
  const fonts = await openFonts(texts);
  const unprintable = listUnprintable(texts, fonts);
  const notes = unprintable.length === 0 ? content.notes : [...content.notes, describeUnprintable(unprintable)];
  const { supplier, customer } = content;
  const { locale, name: country } = markets[content.country];

  const doc = new Pdf({
    size: 'A4',
    margins: { top: 48, right: 0, bottom: 0, left },
    lang: locale,
    bufferPages: true,
    info: { Title: `${content.title} ${content.number}`, Author: supplier.name, CreationDate: new Date(content.issuedAt) },
  });
  const parts: Buffer[] = [];
  doc.on('data', (part: Buffer) => void parts.push(part));
  const ended = new Promise<void>((done, fail) => void doc.once('end', done).once('error', fail));

  // Within the text object, where readers take the position of a marked text from.
  let actualText: string | null = null;
  const addContent = doc.addContent.bind(doc);
  doc.addContent = (operator: string) => {
    if (operator === 'ET' && actualText !== null) doc.endMarkedContent();
    addContent(operator);
    if (operator === 'BT' && actualText !== null) doc.markContent('Span', { actual: actualText });
    return doc;
  };

  const registered = new Set<string>();
  const useFont = ({ face }: Pick<Line['runs'][number], 'face'>, weight: Weight, size: number) => {
    const { name, font } = face[weight];
    if (!registered.has(name)) {
      registered.add(name);
      // pdfkit compares fonts by this name.
      Object.defineProperty(font, 'postscriptName', { value: name, configurable: true });
      doc.registerFont(name, font as unknown as Buffer);
      tellLettersApart((doc.font(name) as unknown as { _font: EmbeddedFont })._font);
    }
    return doc.font(name, size);
  };
  // With a list of features, pdfkit shapes a run as a whole instead of word by word.
  const shaping = { features: ['rlig'] as PDFKit.Mixins.OpenTypeFeatures[] };

  /** Of runs at size 1, because shaping takes long. */
  const widths = new Map<string, number>();
  type Style = { font?: Weight; size?: number; color?: string; width?: number; align?: 'left' | 'right' | 'start' };
  const createMeasure =
    ({ font = 'regular', size = 10 }: Style): Measure =>
    (run) => {
      const key = `${run.face[font].name} ${run.text}`;
      const known = widths.get(key) ?? useFont(run, font, size).widthOfString(run.text, shaping) / size;
      widths.set(key, known);
      return known * size;
    };
  const layOutStyled = (text: string, style: Style) => {
    const { font = 'regular', size = 10, width: most = width } = style;
    return layOut(text, fonts, most, createMeasure(style)).map((line) => {
      const parts = [{ face: fonts.figtree }, ...line.runs].map(({ face }) => face[font].font);
      const above = Math.max(...parts.map(({ ascent, unitsPerEm }) => ascent / unitsPerEm)) * size;
      const below = Math.max(...parts.map(({ descent, unitsPerEm }) => -descent / unitsPerEm)) * size;
      return { ...line, above, height: above + below + lineGap };
    });
  };
  /** Writes at a position and returns the next line's y. */
  const write = (text: string, x: number, y: number, style: Style = {}) => {
    const { font = 'regular', size = 10, color = ink, width: most = width, align = 'left' } = style;
    let top = y;
    const measure = createMeasure(style);
    for (const line of layOutStyled(text, style)) {
      const isRight = align === 'right' || (align === 'start' && line.isRightToLeft);
      let at = isRight ? x + most - line.width : x;
      const placed = line.runs.map((run) => {
        const place = { run, left: at };
        at += measure(run);
        return place;
      });
      // Drawn in reading order, because some readers copy in this order.
      for (const { run, left: from } of placed.toSorted((one, other) => one.run.index - other.run.index)) {
        useFont(run, font, size).fillColor(color);
        actualText = run.needsActualText ? run.text : null;
        doc.text(run.text, from, top + line.above, { lineBreak: false, baseline: 'alphabetic', ...shaping });
      }
      actualText = null;
      top += line.height;
    }
    return top;
  };
  const heightOf = (text: string, style: Style) => layOutStyled(text, style).reduce((sum, { height }) => sum + height, 0);
  /** Where a block of this height goes: here, or at the top of another page. */
  const place = (y: number, height: number) => {
    if (y + height <= bottom) return y;
    doc.addPage();
    return 56;
  };
  const line = (y: number) => doc.moveTo(left, y).lineTo(right, y).lineWidth(0.75).strokeColor(rule).stroke();

  const drawBrand = async () => {
    const logo = siteLogo && (await toPng(siteLogo));
    if (logo) doc.image(logo, left, 48, { fit: [36, 36], align: 'center', valign: 'center' });
    else drawMark();
    write(site.name, left + 46, 54, { font: 'bold', size: 19 });
  };
  const drawMark = () => {
    doc.save().translate(left, 48).scale(0.9);
    doc.roundedRect(0, 0, 40, 40, 11).fill(site.accent || '#10B981');
    doc.path(logoLine).lineWidth(2.6).lineCap('round').lineJoin('round').stroke(ink);
    doc.restore();
  };
  if (supplier.own) {
    const logo = supplier.own.logo && (await toPng(supplier.own.logo));
    if (logo) doc.image(logo, left, 44, { fit: [44, 44], align: 'center', valign: 'center' });
    const size = supplier.name.length > 80 ? 11 : supplier.name.length > 35 ? 14 : 19;
    const indent = logo ? 56 : 0;
    write(supplier.name, left + indent, size === 19 ? 54 : 50, { font: 'bold', size, width: width - indent });
  } else {
    await drawBrand();
  }

  const isLong = content.title.length > 20;
  write(content.title, left, 124, { font: 'bold', size: isLong ? 17 : 26, width: half });
  for (const [index, [label, value]] of content.facts.entries()) {
    write(label, left + half + 28, 124 + index * 19, { color: soft, width: 110 });
    write(value, left + half + 128, 124 + index * 19, { font: 'bold', width: half - 100, align: 'right' });
  }
  if (content.remark) write(content.remark, left, 162, { font: 'bold', size: 11, color: red });

  const top = content.facts.length > 3 ? 214 : 196;
  const block = (label: string, x: number, name: string, rest: readonly string[]) => {
    let y = write(label, x, top, { size: 9, color: soft, width: half });
    y = write(name, x, y + 2, { font: 'bold', size: 11, width: half });
    for (const text of rest) y = write(text, x, y, { width: half });
    return y;
  };
  const tax = supplier.taxNumber === null ? [] : [`${content.country === 'NZ' ? 'GST number' : 'ABN'} ${supplier.taxNumber}`];
  let y = Math.max(
    block('From', left, supplier.name, [...(supplier.address === null ? [] : [supplier.address]), ...(supplier.own?.lines ?? []), ...tax]),
    block('To', left + half + 28, customer.name, [...(customer.email === null ? [] : [customer.email]), country]),
  );

  y += 30;
  write('Description', left, y, { size: 9, color: soft });
  write('Amount', left, y, { size: 9, color: soft, align: 'right' });
  y += 18;
  line(y);
  const amountWidth = 120;
  for (const { text, detail, amount } of content.lines) {
    y = place(y, 12 + heightOf(text, { font: 'bold', size: 11, width: width - amountWidth }) + (detail ? 25 : 10));
    let below = write(text, left, y + 12, { font: 'bold', size: 11, width: width - amountWidth });
    write(amount, left, y + 12, { size: 11, align: 'right' });
    if (detail) below = write(detail, left, below, { color: soft, width: width - amountWidth });
    y = below + 10;
    line(y);
  }
  y = place(y, 14 + content.sums.length * 22 + 6) + 14;
  for (const [index, [label, value]] of content.sums.entries()) {
    const style: Style = index === content.sums.length - 1 ? { font: 'bold', size: 13 } : {};
    write(label, left + half, y, { ...style, width: width - half - amountWidth });
    y = write(value, left, y, { ...style, align: 'right' }) + 5;
  }
  line(y + 6);
  y += 20;
  for (const note of notes.flatMap((text) => text.split('\n'))) {
    y = place(y, heightOf(note, {}));
    y = write(note, left, y, { color: soft, align: 'start' }) + 2;
  }

  const { count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    doc.switchToPage(page);
    const foot = [
      supplier.name,
      ...tax,
      content.number,
      ...(supplier.own ? [sentWith()] : []),
      ...(count > 1 ? [`Page ${page + 1} of ${count}`] : []),
    ];
    write(foot.join('  ·  '), left, 788, { size: 8.5, color: soft });
  }
  doc.end();
  await ended;
  return Buffer.concat(parts);
}
