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

test('settings without a new password need none of its three fields', () => {
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
])('settings with %j are refused at their fields', (change, expected) => {
  expect(problems(change)).toEqual(expected);
});

test('a new password of six characters that is typed twice alike is taken', () => {
  expect(problems({ password: 'old123', newPassword: 'new123', confirmPassword: 'new123' })).toEqual({});
});
