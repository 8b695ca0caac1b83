import { expect, test } from 'vitest';
import { findTextProblem } from './text-problem.ts';

test.each([
  ['a'.repeat(2_000), 0, ''],
  [` ${'a'.repeat(2_000)}\n`, 0, ''],
  ['a'.repeat(2_001), 0, 'Message cannot exceed 2000 characters'],
  [' \n', 0, 'Message is required'],
  ['', 1, ''],
])('sends texts of up to 2,000 characters, and files without a text: %#', (text, files, problem) =>
  expect(findTextProblem(text, files)).toBe(problem),
);
