import { expect, test } from 'vitest';
import { ApiError } from '../api-error.ts';
import { toFormProblem, formatFieldErrors } from './form-problem.ts';

const labels = { serviceImages: 'Photos', services: 'Services', businessTitle: 'Business name' };

test("shows a field error once, with the field's label", () => {
  expect(formatFieldErrors([{ field: 'serviceImages[0]', message: '“one.svg” is no picture.' }], labels)).toBe(
    'Photos: “one.svg” is no picture.',
  );
  expect(formatFieldErrors([{ field: 'services.3', message: 'Use at most 60 characters for a service' }], labels)).toBe(
    'Services: Use at most 60 characters for a service',
  );
});

test('does not repeat a label', () => {
  expect(formatFieldErrors([{ field: 'businessTitle', message: 'Business name is required' }], labels)).toBe('Business name is required');
});

test('shows a field without a label by its message alone, once', () => {
  const same = { field: 'submissionId', message: 'Each submission needs an id' };
  expect(formatFieldErrors([same, same, { field: 'serviceImages[1]', message: 'Too large.' }], labels)).toBe(
    'Each submission needs an id Photos: Too large.',
  );
});

const refusal = (fields: { field: string; message: string }[], message = 'Please check the marked fields.') =>
  new ApiError(400, 'invalid_input', message, fields);

test("marks the form's fields, and shows other errors above it", () => {
  const title = { field: 'serviceTitle', message: 'Service title is required' };
  const photo = { field: 'serviceImages[1]', message: '“two.svg” is no picture.' };
  expect(toFormProblem(refusal([title]), ['serviceTitle'], labels)).toEqual({
    message: 'Please check the marked fields.',
    fields: [title],
  });
  expect(toFormProblem(refusal([title, photo]), ['serviceTitle'], labels)).toEqual({
    message: 'Photos: “two.svg” is no picture.',
    fields: [title],
  });
});

test.each([
  ['username_taken', 'username'],
  ['email_taken', 'email'],
] as const)('what %s says stands at its field', (code, field) => {
  expect(toFormProblem(new ApiError(409, code, 'It is taken.'), ['username', 'email'])).toEqual({
    message: 'It is taken.',
    fields: [{ field, message: 'It is taken.' }],
  });
});

test('explains network errors and server faults', () => {
  expect(toFormProblem(new ApiError(0, 'network', 'Network Error'), []).message).toMatch(
    /^We're having trouble connecting to the server\./,
  );
  expect(toFormProblem(new TypeError('x is undefined'), [])).toEqual({ message: 'An unexpected error occurred', fields: [] });
});
