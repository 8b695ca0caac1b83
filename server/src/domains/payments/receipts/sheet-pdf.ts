import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { siteName } from '@handwise/contract/site/name';
import Pdf from 'pdfkit';
import { loadOnce } from '../../../kit/load-once.ts';

const fontFiles = { regular: '400Regular/Figtree_400Regular.ttf', bold: '700Bold/Figtree_700Bold.ttf' };
type Fonts = Record<keyof typeof fontFiles, Buffer>;

// The fonts of PDF itself have no macrons. Read when the first receipt is asked for, then kept.
const loadFonts = loadOnce(async (): Promise<Fonts> => {
  const read = (file: string) => readFile(fileURLToPath(import.meta.resolve(`@expo-google-fonts/figtree/${file}`)));
  const [regular, bold] = await Promise.all([read(fontFiles.regular), read(fontFiles.bold)]);
  return { regular, bold };
});

// The line of the logo on the web, in a tile of 40 by 40.
const logoLine =
  'M8.5 20.2 20 9.8l11.5 10.4M12.2 18.6v6.1c0 3.6 2.6 6.5 6.9 6.5h3.6c2.3 0 3.7-.9 5-2.5l4-4.9c1.2-1.5-.7-3.3-2.2-2.1l-3.6 2.9h-7.1';

const ink = '#0F2A2E';
const soft = '#5B6B6D';
const rule = '#DDD9CF';
const green = '#10B981';
const red = '#B42318';

const left = 56;
const right = 539;
const width = right - left;
const half = width / 2 - 14;

/** What stands on a sheet: a tax invoice, or what corrects one. */
export type Sheet = {
  /** What it is called, at its top and in the file's own title. */
  title: string;
  number: string;
  country: CountryCode;
  issuedAt: string;
  facts: readonly (readonly [label: string, value: string])[];
  /** In red under the title. */
  remark: string | null;
  supplier: { name: string; address: string; taxNumber: string };
  customer: { name: string; email: string };
  lines: readonly { text: string; detail: string | null; amount: string }[];
  /** The last one stands out. */
  sums: readonly (readonly [label: string, value: string])[];
  notes: readonly string[];
};

/** One page of A4, its text can be searched and copied. */
export async function sheetPdf(sheet: Sheet): Promise<Buffer> {
  const { regular, bold } = await loadFonts();
  const { supplier, customer } = sheet;
  const { locale, name: country } = markets[sheet.country];

  const doc = new Pdf({
    size: 'A4',
    margins: { top: 48, right: 0, bottom: 0, left },
    lang: locale,
    info: { Title: `${sheet.title} ${sheet.number}`, Author: supplier.name, CreationDate: new Date(sheet.issuedAt) },
  });
  const parts: Buffer[] = [];
  doc.on('data', (part: Buffer) => void parts.push(part));
  const ended = new Promise<void>((done, fail) => void doc.once('end', done).once('error', fail));
  doc.registerFont('regular', regular).registerFont('bold', bold);

  type Style = { font?: keyof Fonts; size?: number; color?: string; width?: number; align?: 'left' | 'right' };
  /** Writes at a place and gives where the next line begins. */
  const write = (text: string, x: number, y: number, style: Style = {}) => {
    doc.font(style.font ?? 'regular', style.size ?? 10).fillColor(style.color ?? ink);
    doc.text(text, x, y, { width: style.width ?? width, align: style.align ?? 'left', lineGap: 3 });
    return doc.y;
  };
  const line = (y: number) => doc.moveTo(left, y).lineTo(right, y).lineWidth(0.75).strokeColor(rule).stroke();

  doc.save().translate(left, 48).scale(0.9);
  doc.roundedRect(0, 0, 40, 40, 11).fill(green);
  doc.path(logoLine).lineWidth(2.6).lineCap('round').lineJoin('round').stroke(ink);
  doc.restore();
  write(siteName, left + 46, 54, { font: 'bold', size: 19 });

  const isLong = sheet.title.length > 20;
  write(sheet.title, left, 124, { font: 'bold', size: isLong ? 17 : 26, width: half });
  for (const [index, [label, value]] of sheet.facts.entries()) {
    write(label, left + half + 28, 124 + index * 19, { color: soft, width: 110 });
    write(value, left + half + 128, 124 + index * 19, { font: 'bold', width: half - 100, align: 'right' });
  }
  if (sheet.remark) write(sheet.remark, left, 162, { font: 'bold', size: 11, color: red });

  const top = sheet.facts.length > 3 ? 214 : 196;
  const block = (label: string, x: number, name: string, rest: readonly string[]) => {
    let y = write(label, x, top, { size: 9, color: soft, width: half });
    y = write(name, x, y + 2, { font: 'bold', size: 11, width: half });
    for (const text of rest) y = write(text, x, y, { width: half });
    return y;
  };
  const taxLabel = sheet.country === 'NZ' ? 'GST number' : 'ABN';
  let y = Math.max(
    block('From', left, supplier.name, [supplier.address, `${taxLabel} ${supplier.taxNumber}`]),
    block('To', left + half + 28, customer.name, [customer.email, country]),
  );

  y += 30;
  write('Description', left, y, { size: 9, color: soft });
  write('Amount', left, y, { size: 9, color: soft, align: 'right' });
  y += 18;
  line(y);
  const amountWidth = 120;
  for (const { text, detail, amount } of sheet.lines) {
    let below = write(text, left, y + 12, { font: 'bold', size: 11, width: width - amountWidth });
    write(amount, left, y + 12, { size: 11, align: 'right' });
    if (detail) below = write(detail, left, below, { color: soft, width: width - amountWidth });
    y = below + 10;
    line(y);
  }
  y += 14;
  for (const [index, [label, value]] of sheet.sums.entries()) {
    const style: Style = index === sheet.sums.length - 1 ? { font: 'bold', size: 13 } : {};
    write(label, left + half, y, { ...style, width: width - half - amountWidth });
    y = write(value, left, y, { ...style, align: 'right' }) + 5;
  }
  line(y + 6);
  for (const [index, note] of sheet.notes.entries()) write(note, left, y + 20 + index * 17, { color: soft });

  write(`${supplier.name}  ·  ${taxLabel} ${supplier.taxNumber}  ·  ${sheet.number}`, left, 788, { size: 8.5, color: soft });
  doc.end();
  await ended;
  return Buffer.concat(parts);
}
