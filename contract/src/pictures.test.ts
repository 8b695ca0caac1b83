import { expect, test } from 'vitest';
import { errors } from './errors.ts';
import { formatNames, maxLogoBytes, maxPhotoBytes, pictureProblems, uploadTypes } from './pictures.ts';
import { createListingCall, updateListingCall } from './selling/calls.ts';

test('pickers ask for the four formats that the server reads', () => {
  expect(uploadTypes).toEqual(['image/jpeg', 'image/png', 'image/webp', 'image/avif']);
});

test('each text that names the formats names all of them', () => {
  expect(formatNames).toBe('JPEG, PNG, WebP or AVIF');
  expect(pictureProblems.unreadable).toBe('is not a picture that we can read. Use JPEG, PNG, WebP or AVIF.');
  expect(errors.unsupported_picture.message).toBe('This file is not a picture that we can read. Use JPEG, PNG, WebP or AVIF.');
});

test('a listing’s form carries at most 15 photos of 5 MB and one logo of 2 MB', () => {
  expect([maxPhotoBytes, maxLogoBytes]).toEqual([5_242_880, 2_097_152]);
  for (const { files } of [createListingCall, updateListingCall]) {
    expect(files).toEqual({ serviceImages: { maxFiles: 15, maxBytes: 5_242_880 }, logo: { maxFiles: 1, maxBytes: 2_097_152 } });
  }
});
