import { expect, test } from 'vitest';
import { checkAttachments, formatFileSize, isPdfFile, toFormFiles } from './attachments.ts';

const megabyte = 1024 * 1024;
const photo = (name: string) => new File([Uint8Array.from([0xff, 0xd8, 0xff, 0xe0])], name, { type: 'image/jpeg' });
const pdf = (name: string, size = 20, head = '%PDF-1.7') =>
  new File([head, new Uint8Array(size - head.length)], name, { type: 'application/pdf' });
/** Accepts every photo. */
const check = async (files: readonly File[]) => ({ accepted: [...files], problems: [] });
const limits = { subject: 'message', maxPhotos: 5, takesPdf: true, before: [] as File[] } as const;
const namesOf = (files: readonly File[]) => files.map(({ name }) => name);

test('takes five photos and one PDF, and says what is left out', async () => {
  const picked = [...Array.from({ length: 6 }, (_, at) => photo(`${at}.jpg`)), pdf('a.pdf'), pdf('b.pdf')];
  const { accepted, problems } = await checkAttachments(picked, limits, check);
  expect(namesOf(accepted)).toEqual(['0.jpg', '1.jpg', '2.jpg', '3.jpg', '4.jpg', 'a.pdf']);
  expect(problems).toEqual(['A message takes up to 5 photos.', 'A message takes one PDF.']);
});

test('counts what was chosen before', async () => {
  const before = [...Array.from({ length: 4 }, (_, at) => photo(`${at}.jpg`)), pdf('first.pdf')];
  const { accepted, problems } = await checkAttachments([photo('5.jpg'), photo('6.jpg'), pdf('a.pdf')], { ...limits, before }, check);
  expect([namesOf(accepted), problems]).toEqual([['5.jpg'], ['A message takes up to 5 photos.', 'A message takes one PDF.']]);
});

test('refuses a PDF over 10 MB and a file that only calls itself one, by name', async () => {
  const picked = [pdf('whole.pdf', 10 * megabyte), pdf('big.pdf', 10 * megabyte + 1), pdf('page.pdf', 30, '<!doctype html>')];
  const { accepted, problems } = await checkAttachments(picked, limits, check);
  expect(namesOf(accepted)).toEqual(['whole.pdf']);
  expect(problems).toEqual(['“big.pdf” is larger than 10MB.', '“page.pdf” is not a PDF. Save it as a PDF and try that.']);
});

test('passes a PDF on as a picture where none is taken, which names it', async () => {
  const refuse = async (files: readonly File[]) => ({ accepted: [], problems: files.map(({ name }) => `“${name}” is not a picture`) });
  const { accepted, problems } = await checkAttachments([pdf('plan.pdf')], { ...limits, takesPdf: false }, refuse);
  expect([accepted, problems]).toEqual([[], ['“plan.pdf” is not a picture']]);
});

test('photos may have 15 MB', async () => {
  const asked: unknown[] = [];
  await checkAttachments([photo('a.jpg')], limits, async (files, maxBytes) => {
    asked.push(maxBytes);
    return { accepted: [...files], problems: [] };
  });
  expect(asked).toEqual([15 * megabyte]);
});

test('sends photos and PDF in fields of their own', () => {
  const { pictures, pdf: pdfs } = toFormFiles([photo('a.jpg'), pdf('plan.pdf'), new File(['%PDF-1.7'], 'SCAN.PDF')]);
  expect([namesOf(pictures), namesOf(pdfs)]).toEqual([['a.jpg'], ['plan.pdf', 'SCAN.PDF']]);
  expect(isPdfFile(photo('pdf.jpg'))).toBe(false);
});

test.each([
  [0, '1 kB'],
  [1_500, '1 kB'],
  [200_000, '195 kB'],
  [megabyte, '1 MB'],
  [1_500_000, '1.4 MB'],
])('%i bytes are “%s”', (bytes, text) => {
  expect(formatFileSize(bytes)).toBe(text);
});
