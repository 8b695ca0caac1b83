import { expect, test } from 'vitest';
import { publicName } from './public-name.ts';

test.each([
  ['Mere Kīngi', 'Mere K.'],
  ['Anna Maria van der Berg', 'Anna B.'],
  ['  Tāne\tŌtāwhao ', 'Tāne Ō.'],
  ['Tāne O\u0304ta\u0304whao', 'Tāne O\u0304.'],
  ['Joe de silva', 'Joe S.'],
  ['Aroha', 'Aroha'],
  ['Mele 🌺Tui', 'Mele 🌺.'],
  ['', ''],
  ['Former member', 'Former member'],
])('shortens “%s” to “%s”', (fullName, shown) => {
  expect(publicName(fullName)).toBe(shown);
});
