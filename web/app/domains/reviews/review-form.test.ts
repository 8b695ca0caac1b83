import { expect, test } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import { describeReviewError } from './review-form.tsx';

test.each([
  [new ApiError(409, 'already_reviewed', 'You have already reviewed this listing'), 'You have already reviewed this listing'],
  [new ApiError(500, 'internal', ''), 'An error occurred'],
  [new ApiError(502, 'internal', 'An unexpected error occurred'), 'Failed to submit review. Please try again.'],
  ['Out of stars', 'Out of stars'],
  [new ApiError(0, 'network', 'Network Error'), 'Failed to submit review. Please try again.'],
  [new Error('broken'), 'Failed to submit review. Please try again.'],
])('shows %s as "%s"', (error, text) => {
  expect(describeReviewError(error)).toBe(text);
});
