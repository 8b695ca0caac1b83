import { expect, test } from 'vitest';
import { Tokens } from './tokens.ts';

test('each text has its own number, however many there are, and is asked for once', () => {
  const asked: string[] = [];
  const tokens = new Tokens((text) => asked.push(text) * 3);
  const texts = Array.from({ length: 40_000 }, (_, index) => `wāhi${index.toString(36)}.${index % 3}`);
  const numbersOf = () =>
    texts.map((text) => {
      const bytes = Buffer.from(`x${text}y`);
      return tokens.numberOf(bytes, 1, bytes.length - 1);
    });
  const expected = texts.map((_, index) => (index + 1) * 3);
  expect([numbersOf(), numbersOf()]).toEqual([expected, expected]);
  expect(asked).toEqual(texts);
});
