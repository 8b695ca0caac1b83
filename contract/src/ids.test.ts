import { expect, test } from 'vitest';
import { idPattern, isId } from './ids.ts';

const id = '0b8a1a50-6c1c-4b6e-9d3e-2a1a5c3c9f10';

test.each([
  [id, true],
  [id.toUpperCase(), true],
  [`${id}0`, false],
  [`0${id}`, false],
  [id.slice(1), false],
  [id.slice(0, -1), false],
  [id.replaceAll('-', ''), false],
  [id.replace('0b', 'gb'), false],
  [`${id}\n`, false],
  ['', false],
])('%j can be an id: %s', (text, can) => {
  expect(isId(text)).toBe(can);
});

test('an id is found within a longer text', () => {
  expect(new RegExp(idPattern).exec(`/listing/${id}?message=1`)?.[0]).toBe(id);
});
