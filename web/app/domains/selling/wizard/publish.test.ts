import { expect, test } from 'vitest';
import { ApiError } from '../../../lib/api-error.ts';
import { describeCreationError } from './publish.ts';

test("explains once why a listing was not created, with the form's labels", () => {
  const message = '“one.svg” is not a picture that we can read.';
  const error = new ApiError(400, 'unsupported_picture', message, [{ field: 'serviceImages[0]', message }]);
  expect(describeCreationError(error)).toEqual({ text: `Photos: ${message}`, forgetsPayment: false, needsNewId: false });
});

test('shows the server’s message without a field error', () => {
  expect(describeCreationError(new ApiError(409, 'no_free_slot', 'No slot left.')).text).toBe('No slot left.');
});

test.each(['payment_used', 'payment_not_found', 'payment_mismatch'] as const)('%s makes the draft forget its payment', (code) => {
  expect(describeCreationError(new ApiError(409, code, 'Used.'))).toMatchObject({ forgetsPayment: true, needsNewId: false });
});

test('needs a new id for a taken submission, and keeps its payment', () => {
  expect(describeCreationError(new ApiError(409, 'submission_taken', 'Taken.'))).toMatchObject({ forgetsPayment: false, needsNewId: true });
});

test.each([
  ['no answer', new ApiError(0, 'network', 'Network Error')],
  ['a fault of the server', new ApiError(500, 'internal', 'An unexpected error occurred')],
  ['a fault of the browser', new TypeError('x is undefined')],
])('shows our own text for %s', (_, error) => {
  expect(describeCreationError(error)).toEqual({ text: null, forgetsPayment: false, needsNewId: false });
});
