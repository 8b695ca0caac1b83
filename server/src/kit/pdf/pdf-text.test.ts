import { expect, test } from 'vitest';
import { openFonts } from './pdf-fonts.ts';
import { layOut } from './pdf-text.ts';

/** Each letter is one wide. */
const measure = ({ text }: { text: string }) => Array.from(text.replace(/\p{Mark}/gu, '')).length;
async function linesOf(text: string, width = 1_000) {
  const fonts = await openFonts([text, '□?']);
  return layOut(text, fonts, width, measure);
}
const drawnOf = async (text: string) => (await linesOf(text)).map(({ runs }) => runs.map((run) => run.text.trim()).filter(Boolean));
const textsOf = async (text: string, width: number) =>
  (await linesOf(text, width)).map(({ runs }) =>
    runs
      .toSorted((one, other) => one.index - other.index)
      .map((run) => run.text)
      .join(''),
  );

test.each([
  ['Latin', 'one two three', 8, ['one two', 'three']],
  ['line breaks', 'one\ntwo\n\nthree', 100, ['one', 'two', '', 'three']],
  ['a word that is longer than a line', 'abcdefgh ij', 3, ['abc', 'def', 'gh', 'ij']],
  ['an amount, which stays whole', 'costs $25.00 each', 8, ['costs', '$25.00', 'each']],
  ['Chinese, without a full stop at the start', '我們會完成所有。好', 7, ['我們會完成所', '有。好']],
  ['Japanese', '東京タワへ行く', 4, ['東京タワ', 'へ行く']],
  ['Thai by its words', 'ฉันต้องการทาสีบ้าน', 9, ['ฉันต้องการ', 'ทาสีบ้าน']],
] as const)('breaks %s', async (_, text, width, lines) => {
  expect(await textsOf(text, width)).toEqual(lines);
});

test('puts the parts of right-to-left text in the order in which they stand', async () => {
  expect(await drawnOf('محمد علي')).toEqual([['علي', 'محمد']]);
  expect(await drawnOf('From محمد علي now')).toEqual([['From', 'علي', 'محمد', 'now']]);
  expect(await drawnOf('محمد Handwise Limited علي')).toEqual([['علي', 'Handwise Limited', 'محمد']]);
  expect(await drawnOf('محمد 2027 علي')).toEqual([['علي', '2027', 'محمد']]);
  // Brackets are mirrored.
  expect(await drawnOf('محمد (علي)')).toEqual([['(', 'علي', ')', 'محمد']]);
  expect((await linesOf('محمد'))[0]).toMatchObject({ isRightToLeft: true });
  expect((await linesOf('Mere محمد'))[0]).toMatchObject({ isRightToLeft: false });
});

test('leaves emoji out with their space, and draws a box for what no font has', async () => {
  expect(await textsOf('👍 Mere 👩🏽‍🔧 Kīngi 🇳🇿', 1_000)).toEqual(['Mere Kīngi']);
  expect(await textsOf('Mere \u{13000}', 1_000)).toEqual(['Mere □']);
  expect(await textsOf('Me\u200bre\u200f', 1_000)).toEqual(['Mere']);
});

test('draws a word in one design, with its marks', async () => {
  const facesOf = async (text: string) => (await linesOf(text))[0]?.runs.map(({ text: own, face }) => [own.trim(), face.regular.name]);
  expect(await facesOf('Mere Kīngi')).toEqual([['Mere Kīngi', 'figtree-regular']]);
  expect(await facesOf('Thị m̄')).toEqual([['Thị m̄', 'noto-regular']]);
  expect(await facesOf('Thị Mere')).toEqual([
    ['Thị', 'noto-regular'],
    ['Mere', 'figtree-regular'],
  ]);
});

test('states the letters where glyphs stand in another order', async () => {
  const statedOf = async (text: string) => (await linesOf(text))[0]?.runs.map((run) => run.needsActualText);
  expect(await statedOf('हिन्दी')).toEqual([true]);
  expect(await statedOf('น้ำ')).toEqual([true]);
  expect(await statedOf('محمد')).toEqual([false]);
  expect(await statedOf('Mere')).toEqual([false]);
});
