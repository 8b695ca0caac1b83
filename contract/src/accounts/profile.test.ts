import { expect, test } from 'vitest';
import { profileForm } from './profile.ts';

const asIs = {
  fullName: 'Aroha Ngata',
  phoneNumber: '',
  address: '',
  about: '',
  password: '',
  newPassword: '',
  confirmPassword: '',
};
const problems = (change: Partial<typeof asIs>) => {
  const issues = profileForm.safeParse({ ...asIs, ...change }).error?.issues ?? [];
  return Object.fromEntries(issues.map((issue) => [issue.path.join('.'), issue.message]));
};

test('accepts settings without the three password fields', () => {
  expect(problems({})).toEqual({});
});

test.each([
  [{ newPassword: 'kowhai-9', confirmPassword: 'kowhai-9' }, { password: 'Current password is required' }],
  [{ password: 'pohutukawa-9' }, { newPassword: 'New password is required' }],
  [{ confirmPassword: 'kowhai-9' }, { password: 'Current password is required', newPassword: 'New password is required' }],
  [{ password: 'pohutukawa-9', newPassword: 'kowhai-9' }, { confirmPassword: 'New password and confirmation do not match' }],
  [{ password: 'pohutukawa-9', newPassword: 'kowhai-9', confirmPassword: 'kowhai-8' }, { confirmPassword: 'Passwords must match' }],
  [
    { password: '12345', newPassword: 'kowhai-9', confirmPassword: 'kowhai-9' },
    { password: 'Current password must be at least 6 characters' },
  ],
  [
    { password: 'pohutukawa-9', newPassword: '12345', confirmPassword: '12345' },
    { newPassword: 'New password must be at least 6 characters' },
  ],
  [
    { fullName: '', phoneNumber: '12' },
    { fullName: 'Name is required', phoneNumber: 'Phone number must be exactly 10 digits' },
  ],
])('rejects settings with %j at their fields', (change, expected) => {
  expect(problems(change)).toEqual(expected);
});

test('accepts a new password of six characters that is repeated correctly', () => {
  expect(problems({ password: 'old123', newPassword: 'new123', confirmPassword: 'new123' })).toEqual({});
});
