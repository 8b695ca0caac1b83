import { expect, test } from 'vitest';
import { z } from 'zod';
import { inputMessage } from './input-messages.ts';

test.each([
  ['a field that is missing', z.object({ a: z.string() }), {}, 'This field is required'],
  ['a text that is empty', z.string().min(1), '', 'This field is required'],
  ['a text that is too short', z.string().min(3), 'ab', 'Use at least 3 characters'],
  ['a text that is too long', z.string().max(3), 'abcd', 'Use at most 3 characters'],
  ['a list that is too long', z.array(z.int()).max(1), [1, 2], 'Use at most 1 entry'],
  ['a number that is too large', z.int().max(5), 6, 'Use at most 5'],
  ['a number instead of a text', z.string(), 1, 'Use text here'],
  ['a text instead of a number', z.number(), '1', 'Use a number here'],
  ['a fraction', z.int(), 1.5, 'Use a whole number here'],
  ['a text instead of true or false', z.boolean(), 'true', 'Use true or false here'],
  ['a text instead of a list', z.array(z.string()), 'a', 'Use a list here'],
  ['a list instead of fields', z.object({}), [], 'Send the fields as a JSON object'],
  ['nothing instead of fields', z.object({}), null, 'Send the fields as a JSON object'],
  ['another word than those there are', z.enum(['NZ', 'AU']), 'FR', 'Use NZ or AU'],
  ['a field that there is not', z.strictObject({}), { a: 1 }, 'There is no such field'],
  ['a date that is none', z.date(), 'x', 'This value cannot be used here'],
  ['an address of mail that is none', z.email(), 'x', 'This value cannot be used here'],
])('rejects %s with a message of our own', (_, schema, input, message) => {
  expect(schema.safeParse(input, { error: inputMessage }).error?.issues.map((issue) => issue.message)).toEqual([message]);
});

test('prefers the message of the schema itself', () => {
  expect(z.string('Name is required').safeParse(undefined, { error: inputMessage }).error?.issues[0]?.message).toBe('Name is required');
});
