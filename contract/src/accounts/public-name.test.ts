import { expect, test } from 'vitest';
import { publicName } from './public-name.ts';

test.each([
  ['Mere Kīngi', 'Mere K.'],
  ['Anna Maria van der Berg', 'Anna B.'],
  ['  Tāne\tŌtāwhao ', 'Tāne Ō.'],
  ['Tāne O\u0304ta\u0304whao', 'Tāne O\u0304.'],
  ['Joe de silva', 'Joe S.'],
  ['Aroha', 'Aroha'],
  ['Mere Whaanga-Te Rāngi', 'Mere W.'],
  ['Mere Whaanga - Te Rāngi', 'Mere W.'],
  ['Hemi Te Rāngi', 'Hemi T.'],
  ['Māia te Ao Kīngi', 'Māia K.'],
  ['Anne-Marie Smith‑Jones', 'Anne-Marie S.'],
  ['Sean O’Brien', 'Sean O.'],
  ['Ana De Silva', 'Ana D.'],
  ['Te Aroha', 'Te A.'],
  ['John Kingi Jr.', 'John K.'],
  ['John Kingi, JP', 'John K.'],
  ['Kingi, Mere', 'Mere K.'],
  ['Mere (Mary) Kingi', 'Mere K.'],
  ['Mere Kingi (Mary)', 'Mere K.'],
  ['田中さくら', '田.'],
  ['田中　さくら', 'さくら 田.'],
  ['王小明', '王.'],
  ['김민수', '김.'],
  ['김 민수', '민수 김.'],
  ['マリア・シュミット', 'マリア シ.'],
  ['محمد العلي', 'محمد ا.'],
  ['สมชาย ใจดี', 'สมชาย ใ.'],
  ['Mele 🌺Tui', 'Mele 🌺.'],
  ['', ''],
  ['Former member', 'Former member'],
])('shortens “%s” to “%s”', (fullName, shown) => {
  expect(publicName(fullName)).toBe(shown);
});
