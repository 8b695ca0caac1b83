import { pagesOf, textOf } from '@handwise/sandbox/testing/pdf';
import { receipt } from '@handwise/sandbox/testing/receipt';
import { expect, onTestFinished, test } from 'vitest';
import { FairQueue } from '../../kit/limits/fair-queue.ts';
import { receiptPdf } from './payments.documents.ts';
import { PdfRenderer } from './payments.pdf-renderer.ts';
import type { PdfContent } from './payments.pdf.ts';

const sheetOf = (number: string): PdfContent => receiptPdf({ ...receipt, number });

function drawing(limits: ConstructorParameters<typeof PdfRenderer>[1] = {}, waiting = 100) {
  const queue = new FairQueue({ running: 1, waiting });
  const sheets = new PdfRenderer(queue, limits);
  onTestFinished(() => sheets.close());
  return { sheets, queue };
}

test('renders a document once for any number of requests, and again when its content changes', async () => {
  const { sheets } = drawing();
  const [first, ...others] = await Promise.all(Array.from({ length: 150 }, () => sheets.pdf(sheetOf('HW-1'))));
  expect(others.every((one) => one === first)).toBe(true);
  const again = await sheets.pdf(sheetOf('HW-1'));
  expect([again === first, pagesOf(again), textOf(again).includes('HW-1'), sheets.rendered]).toEqual([true, 1, true, 1]);
  const refunded = await sheets.pdf(receiptPdf({ ...receipt, number: 'HW-1', refundedMinor: 500 }));
  expect([textOf(refunded).includes('refunded'), sheets.rendered]).toEqual([true, 2]);
});

test('rejects requests beyond the queue at once and serves those that wait', async () => {
  const { sheets, queue } = drawing({}, 3);
  const asked = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => sheets.pdf(sheetOf(`HW-${index}`))));
  const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(asked.map(({ status }) => status === 'fulfilled')).toEqual(asked.map((_, index) => index < 4));
  for (const one of refused) expect(one).toMatchObject({ code: 'overloaded', retryAfterSeconds: 2 });
  expect(queue.refused).toEqual({ all: 6, one: 0 });
  // Whoever comes back is not refused for ever.
  expect(pagesOf(await sheets.pdf(sheetOf('HW-9')))).toBe(1);
});

test('bounds the cache in bytes', async () => {
  const one = (await drawing().sheets.pdf(sheetOf('HW-1'))).length;
  const { sheets } = drawing({ cacheBytes: 2 * one + one / 2 });
  for (const number of ['HW-1', 'HW-2', 'HW-3', 'HW-3', 'HW-2', 'HW-1']) await sheets.pdf(sheetOf(number));
  expect(sheets.rendered).toBe(4);
});

test('fails one bad document alone, and replaces a worker that hangs', async () => {
  const { sheets } = drawing({ timeoutMs: 60_000 });
  const broken = { ...sheetOf('HW-1'), lines: null } as unknown as PdfContent;
  await expect(sheets.pdf(broken)).rejects.toThrow(/TypeError/);
  expect(pagesOf(await sheets.pdf(sheetOf('HW-2')))).toBe(1);

  const { sheets: hurried } = drawing({ timeoutMs: 0 });
  await expect(hurried.pdf(sheetOf('HW-1'))).rejects.toThrow(/has ended/);
  await expect(hurried.pdf(sheetOf('HW-1'))).rejects.toThrow(/has ended/);
});

test('stops the idle worker and starts it again with the next document', async () => {
  const { sheets } = drawing({ idleMs: 0 });
  for (const number of ['HW-1', 'HW-2']) {
    expect(pagesOf(await sheets.pdf(sheetOf(number)))).toBe(1);
    await expect.poll(() => sheets.hasWorker).toBe(false);
  }
});
