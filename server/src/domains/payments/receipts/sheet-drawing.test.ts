import { pagesOf, textOf } from '@handwise/sandbox/testing/pdf';
import { receipt } from '@handwise/sandbox/testing/receipt';
import { expect, onTestFinished, test } from 'vitest';
import { Turns } from '../../../kit/bounds/turns.ts';
import { receiptSheet } from './receipt-sheet.ts';
import { SheetDrawing } from './sheet-drawing.ts';
import type { Sheet } from './sheet-pdf.ts';

const sheetOf = (number: string): Sheet => receiptSheet({ ...receipt, number });

function drawing(limits: ConstructorParameters<typeof SheetDrawing>[1] = {}, waiting = 100) {
  const turns = new Turns({ running: 1, waiting });
  const sheets = new SheetDrawing(turns, limits);
  onTestFinished(() => sheets.close());
  return { sheets, turns };
}

test('a sheet is drawn once, however often and however many at once ask for it, and again when something else stands on it', async () => {
  const { sheets } = drawing();
  const [first, ...others] = await Promise.all(Array.from({ length: 150 }, () => sheets.pdf(sheetOf('HW-1'))));
  expect(others.every((one) => one === first)).toBe(true);
  const again = await sheets.pdf(sheetOf('HW-1'));
  expect([again === first, pagesOf(again), textOf(again).includes('HW-1'), sheets.drawn]).toEqual([true, 1, true, 1]);
  const refunded = await sheets.pdf(receiptSheet({ ...receipt, number: 'HW-1', refundedMinor: 500 }));
  expect([textOf(refunded).includes('refunded'), sheets.drawn]).toEqual([true, 2]);
});

test('too many are refused at once and told to come back, and those who wait are served', async () => {
  const { sheets, turns } = drawing({}, 3);
  const asked = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => sheets.pdf(sheetOf(`HW-${index}`))));
  const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(asked.map(({ status }) => status === 'fulfilled')).toEqual(asked.map((_, index) => index < 4));
  for (const one of refused) expect(one).toMatchObject({ code: 'overloaded', retryAfterSeconds: 2 });
  expect(turns.refused).toEqual({ all: 6, one: 0 });
  // Whoever comes back is not refused for ever.
  expect(pagesOf(await sheets.pdf(sheetOf('HW-9')))).toBe(1);
});

test('what is kept is bounded in bytes', async () => {
  const one = (await drawing().sheets.pdf(sheetOf('HW-1'))).length;
  const { sheets } = drawing({ kept: 2 * one + one / 2 });
  for (const number of ['HW-1', 'HW-2', 'HW-3', 'HW-3', 'HW-2', 'HW-1']) await sheets.pdf(sheetOf(number));
  expect(sheets.drawn).toBe(4);
});

test('a sheet that cannot be drawn fails alone, and a thread that hangs is ended and the next sheet gets a new one', async () => {
  const { sheets } = drawing({ longestMs: 60_000 });
  const broken = { ...sheetOf('HW-1'), lines: null } as unknown as Sheet;
  await expect(sheets.pdf(broken)).rejects.toThrow(/TypeError/);
  expect(pagesOf(await sheets.pdf(sheetOf('HW-2')))).toBe(1);

  const { sheets: hurried } = drawing({ longestMs: 0 });
  await expect(hurried.pdf(sheetOf('HW-1'))).rejects.toThrow(/has ended/);
  await expect(hurried.pdf(sheetOf('HW-1'))).rejects.toThrow(/has ended/);
});

test('without work the thread goes, and comes back with the next sheet', async () => {
  const { sheets } = drawing({ idleMs: 0 });
  for (const number of ['HW-1', 'HW-2']) {
    expect(pagesOf(await sheets.pdf(sheetOf(number)))).toBe(1);
    await expect.poll(() => sheets.isAwake).toBe(false);
  }
});
