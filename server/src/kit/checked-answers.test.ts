import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkingCompiler } from './checked-answers.ts';

const send = checkingCompiler({ schema: z.object({ name: z.string() }), method: 'GET', url: '/people' });

test('an answer in a test is sent as it is where it is what its schema says', () => {
  expect(send({ name: 'Mere', nothing: undefined })).toBe('{"name":"Mere"}');
});

test.each([
  ['of another type', { name: 7 }, "Response doesn't match the schema"],
  ['with a field too many', { name: 'Mere', email: 'mere@example.org' }, 'GET /people answers what its schema does not have'],
])('an answer %s is refused', (_, answer, words) => {
  expect(() => send(answer)).toThrow(words);
});
