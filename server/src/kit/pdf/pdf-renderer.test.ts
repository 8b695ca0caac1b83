import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { site } from '@handwise/contract/site/site';
import { countMissingGlyphs, readPdfPages, readPdfText } from '@handwise/sandbox/testing/pdf';
import { FairQueue } from '../limits/fair-queue.ts';
import { PdfRenderer } from './pdf-renderer.ts';
import type { PdfContent } from './pdf.ts';

const red = await sharp({ create: { width: 90, height: 60, channels: 4, background: '#ff0000' } })
  .png()
  .toBuffer();
const contentOf = (number: string): PdfContent => ({
  title: 'Tax invoice',
  number,
  country: 'NZ',
  issuedAt: '2027-03-31T12:30:00.000Z',
  facts: [['Number', number]],
  remark: null,
  supplier: { name: 'Handwise Limited', address: '1 Example Street', taxNumber: '123-456-789' },
  customer: { name: 'Mere Kīngi', email: 'mere@example.org' },
  lines: [{ text: 'Premium plan', detail: null, amount: '$25.00 NZD' }],
  sums: [['Total', '$25.00 NZD']],
  notes: [],
});

function openRenderer(limits: ConstructorParameters<typeof PdfRenderer>[1] = {}, waiting = 100) {
  const queue = new FairQueue({ running: 1, waiting });
  const renderer = new PdfRenderer(queue, limits);
  onTestFinished(() => renderer.close());
  return { renderer, queue };
}

test('renders a document once for any number of requests, and again when its content changes', async () => {
  const { renderer } = openRenderer();
  const [first, ...others] = await Promise.all(Array.from({ length: 150 }, () => renderer.pdf(contentOf('INV-1'))));
  expect(others.every((one) => one === first)).toBe(true);
  const again = await renderer.pdf(contentOf('INV-1'));
  expect([again === first, readPdfPages(again), readPdfText(again).includes('INV-1'), renderer.rendered]).toEqual([true, 1, true, 1]);
  const refunded = await renderer.pdf({ ...contentOf('INV-1'), notes: ['$5.00 NZD refunded.'] });
  expect([readPdfText(refunded).includes('refunded'), renderer.rendered]).toEqual([true, 2]);
});

test('rejects requests beyond the queue at once and serves those that wait', async () => {
  const { renderer, queue } = openRenderer({}, 3);
  const results = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => renderer.pdf(contentOf(`INV-${index}`))));
  const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual(results.map((_, index) => index < 4));
  for (const one of refused) expect(one).toMatchObject({ code: 'overloaded', retryAfterSeconds: 2 });
  expect(queue.refused).toEqual({ all: 6, one: 0 });
  // A later retry succeeds.
  expect(readPdfPages(await renderer.pdf(contentOf('INV-9')))).toBe(1);
});

test('renders a document again if the logo of the site could not be read', async () => {
  onTestFinished(() => void Object.assign(site, { logo: '' }));
  let reads = 0;
  const queue = new FairQueue({ running: 1, waiting: 10 });
  const renderer = new PdfRenderer(queue, {}, async () => ((reads += 1) === 1 ? null : red));
  onTestFinished(() => renderer.close());
  const hasPicture = async () => (await renderer.pdf(contentOf('INV-1'))).includes('/Subtype /Image');
  Object.assign(site, { logo: '/files/logos/0a/0a1b2c3d4e5f60718293a4b5.webp' });
  expect([await hasPicture(), await hasPicture(), await hasPicture(), renderer.rendered]).toEqual([false, true, true, 2]);
});

test('bounds the cache in bytes', async () => {
  const one = (await openRenderer().renderer.pdf(contentOf('INV-1'))).length;
  const { renderer } = openRenderer({ cacheBytes: Math.floor(2.5 * one) });
  for (const number of ['INV-1', 'INV-2', 'INV-3', 'INV-3', 'INV-2', 'INV-1']) await renderer.pdf(contentOf(number));
  expect(renderer.rendered).toBe(4);
});

test('fails one bad document alone, and replaces a worker that hangs', async () => {
  const { renderer } = openRenderer({ timeoutMs: 60_000 });
  const broken = { ...contentOf('INV-1'), lines: null } as unknown as PdfContent;
  await expect(renderer.pdf(broken)).rejects.toThrow(/TypeError/);
  expect(readPdfPages(await renderer.pdf(contentOf('INV-2')))).toBe(1);

  const { renderer: hurried } = openRenderer({ timeoutMs: 0 });
  await expect(hurried.pdf(contentOf('INV-1'))).rejects.toThrow(/has ended/);
  await expect(hurried.pdf(contentOf('INV-1'))).rejects.toThrow(/has ended/);
});

test('stops the idle worker and starts it again with the next document', async () => {
  const { renderer } = openRenderer({ idleMs: 0 });
  for (const number of ['INV-1', 'INV-2']) {
    expect(readPdfPages(await renderer.pdf(contentOf(number)))).toBe(1);
    await expect.poll(() => renderer.hasWorker).toBe(false);
  }
});

test('continues long lines and notes on further pages, each with its foot', async () => {
  const { renderer } = openRenderer();
  const line = {
    text: 'Weatherboards to sand, fill and paint twice, with scaffolding. '.repeat(3),
    detail: '2 × $10.00 NZD',
    amount: '$20.00 NZD',
  };
  const pdf = await renderer.pdf({
    ...contentOf('Q-1'),
    lines: Array.from({ length: 30 }, () => line),
    notes: ['Kept dry.\n'.repeat(60), 'The end.'],
  });
  const text = readPdfText(pdf);
  expect(readPdfPages(pdf)).toBeGreaterThan(2);
  expect([text.split('$20.00 NZD').length - 1, text.split('Kept dry.').length - 1, text.includes('The end.')]).toEqual([30, 60, true]);
  expect(text).toContain(`Page 1 of ${readPdfPages(pdf)}`);
});

const names = [
  'Đặng Thị Hồng',
  'Łukasz Żółć',
  'm̄ ɛ̃ Ḵ̓',
  'Αθήνα Ἑλλάς',
  'Жанна Ґалаґан',
  '王小明',
  '繁體臺灣',
  '東京ひろしタワー',
  '김민수',
  'محمد',
  'شاملة',
  'می\u200cخواهم',
  'שלום',
  'मोहन',
  'हिन्दी क्षत्रिय',
  'สมชาย น้ำใจ',
  'ਸਿੰਘ',
  'தமிழ்',
  'ગુજરાતી',
  'বাংলা',
  'తెలుగు',
  'മലയാളം',
  'සිංහල',
  'ខ្មែរ',
];

test('prints every letter of every script, in the name, a line and the notes, to be copied', async () => {
  const { renderer } = openRenderer();
  const pdf = await renderer.pdf({
    ...contentOf('INV-1'),
    customer: { name: names.join(' · '), email: null },
    lines: names.map((name) => ({ text: name, detail: name, amount: '$1.00 NZD' })),
    notes: [names.join('\n')],
  });
  const lines = readPdfText(pdf).split('\n');
  // A joiner only shapes the letters beside it.
  const copied = names.map((name) => name.replaceAll('\u200c', ''));
  expect(copied.map((name) => [name, lines.filter((line) => line.trim() === name).length])).toEqual(copied.map((name) => [name, 3]));
  expect(countMissingGlyphs(pdf)).toBe(0);
  // Of Chinese alone, the fonts have five megabytes.
  expect(pdf.length).toBeLessThan(500_000);
});

test('says which characters no font has, instead of leaving boxes unexplained, and says nothing otherwise', async () => {
  const { renderer } = openRenderer();
  const rare = await renderer.pdf({ ...contentOf('INV-1'), customer: { name: '王\u{2a6a5}明', email: null } });
  expect(readPdfText(rare)).toContain('王□明');
  expect(readPdfText(rare).replaceAll('\n', ' ')).toContain('We cannot print a character of this document. □ stands for U+2A6A5.');
  expect(countMissingGlyphs(rare)).toBe(0);
  const two = await renderer.pdf({ ...contentOf('INV-2'), notes: ['\u{2a6a5}\u{13000} 👍'] });
  expect(readPdfText(two).replaceAll('\n', ' ')).toContain(
    'We cannot print some characters of this document. □ stands for U+2A6A5, U+13000.',
  );
  const usual = await renderer.pdf({ ...contentOf('INV-3'), customer: { name: '王小明 👍', email: null } });
  expect(readPdfText(usual)).not.toContain('cannot print');
});

test('tells letters apart that a font draws as one shape with dots', async () => {
  const { renderer } = openRenderer();
  const pdf = await renderer.pdf({ ...contentOf('INV-1'), customer: { name: 'سلام شاملة بيت نبت', email: null } });
  expect(readPdfText(pdf)).toContain('سلام شاملة بيت نبت');
});
