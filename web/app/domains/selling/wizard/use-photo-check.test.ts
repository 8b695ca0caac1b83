import { expect, test } from 'vitest';
import { ApiError } from '../../../lib/api-error.ts';
import { findRefused } from './publish.ts';
import { readRefused } from './use-photo-check.ts';

const photos = ['a', 'b', 'c'].map((id) => ({ id, name: `${id}.jpg`, file: new File([id], `${id}.jpg`) }));
const damaged = { field: 'serviceImages[1]', message: '“b.jpg” is damaged or incomplete.' };

test('finds the photos and the logo that the server means', () => {
  const logo = { field: 'logo', message: '“logo.svg” is not a picture.' };
  expect(readRefused([damaged, logo], photos)).toEqual({
    photoIds: new Set(['b']),
    isLogoRefused: true,
    messages: [damaged.message, logo.message],
  });
  expect(readRefused([{ field: 'serviceImages[7]', message: 'x' }], photos).photoIds.size).toBe(0);
});

test('leaves out the photos that a listing was not created for, and no others', () => {
  const refusedBy = (error: unknown) => findRefused(error, photos);
  expect(refusedBy(new ApiError(400, 'unsupported_picture', '', [damaged]))?.photoIds).toEqual(new Set(['b']));
  expect(refusedBy(new ApiError(400, 'picture_too_large', '', [damaged]))?.photoIds).toEqual(new Set(['b']));
  expect(refusedBy(new ApiError(400, 'invalid_input', '', [damaged]))).toBeNull();
  expect(refusedBy(new ApiError(400, 'unsupported_picture', '', []))).toBeNull();
  expect(refusedBy(new Error('network'))).toBeNull();
});
