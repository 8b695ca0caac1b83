import { expect, test } from 'vitest';
import { ApiError, connectionProblem } from '../../../lib/api-error.ts';
import { describePlanFailure } from './use-plan-change.ts';

test.each([
  ['a refusal', new ApiError(402, 'card_declined', 'Your card was declined.'), 'Your card was declined.'],
  ['a failed check of the bank', new Error('The bank’s check was closed.'), 'The bank’s check was closed.'],
  ['no connection', new ApiError(0, 'network', connectionProblem), connectionProblem],
])('says why a plan was not changed after %s', (_, error, text) => {
  expect(describePlanFailure('update', error)).toBe(text);
});

test.each([
  ['update', 'Failed to update plan'],
  ['reactivate', 'Failed to reactivate listing'],
] as const)('falls back to the text of the page after an answer without a reason (%s)', (kind, text) => {
  expect(describePlanFailure(kind, new ApiError(502, 'internal', 'An unexpected error occurred'))).toBe(text);
});
