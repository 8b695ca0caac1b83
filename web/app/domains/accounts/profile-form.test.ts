import { expect, test } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import { getChanges, withFormErrors } from './profile-form.tsx';

const stored = { fullName: 'Aroha Ngata', phoneNumber: '021 345 678', address: '5 Rātā Street', about: '' };
const form = { ...stored, password: '', newPassword: '', confirmPassword: '' };

test('finds no change in unchanged settings', () => {
  expect(getChanges(stored, form)).toBeNull();
});

test('sends only changed fields, emptied ones too', () => {
  expect(getChanges(stored, { ...form, about: 'I fix roofs.' })).toEqual({ about: 'I fix roofs.' });
  expect(getChanges(stored, { ...form, phoneNumber: '', fullName: 'Aroha Rangi' })).toEqual({ phoneNumber: '', fullName: 'Aroha Rangi' });
});

test('sends a new password with the current one, without its repetition', () => {
  const passwords = { password: 'pohutukawa-9', newPassword: 'kowhai-9', confirmPassword: 'kowhai-9' };
  expect(getChanges(stored, { ...form, ...passwords })).toEqual({ password: 'kowhai-9', currentPassword: 'pohutukawa-9' });
});

async function formError(error: unknown, otherwise: string): Promise<unknown> {
  try {
    await withFormErrors(otherwise, async () => {
      throw error;
    });
  } catch (refusal) {
    return refusal;
  }
}

test('returns the result on success', async () => {
  expect(await withFormErrors('Failed', () => Promise.resolve(7))).toBe(7);
});

test("maps a rejection to the form's field, in the server's words", async () => {
  const common = new ApiError(400, 'invalid_input', 'This password is too common', [
    { field: 'password', message: 'This password is too common' },
  ]);
  expect(await formError(common, 'Failed')).toMatchObject({
    message: 'This password is too common',
    fieldErrors: [{ field: 'newPassword', message: 'This password is too common' }],
  });
  const wrong = new ApiError(400, 'invalid_input', 'x', [{ field: 'currentPassword', message: 'x' }]);
  expect(await formError(wrong, 'Failed')).toMatchObject({ fieldErrors: [{ field: 'password', message: 'x' }] });
});

test.each([new ApiError(500, 'internal', 'Oh'), new ApiError(0, 'network', 'Network Error'), new Error('Oh')])(
  'a server that failed or did not answer is told in the words for what failed: %s',
  async (error) => {
    expect(await formError(error, 'Failed to update account')).toMatchObject({ message: 'Failed to update account' });
  },
);
