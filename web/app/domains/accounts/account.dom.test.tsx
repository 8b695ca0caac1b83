import type { Profile } from '@handwise/contract/accounts/profile';
import { screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { readUser, storeUser } from '../../lib/session/stored-user.ts';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import { AddressSection } from './address-section.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { ProfileForm } from './profile-form.tsx';
import { ResendConfirmation } from './resend-confirmation.tsx';

const profile = {
  _id: 'me',
  name: 'mere',
  fullName: 'Mere Kingi',
  username: 'mere',
  email: 'mere@example.org',
  emailConfirmed: true,
  pendingEmail: null,
  hasPassword: true,
  phoneNumber: '',
  address: '',
  about: '',
  avatar: '',
  role: 'user',
  referralCode: 'REF',
} as unknown as Profile;

beforeEach(() => storeUser({ ...profile, token: 'token' }));

function render(part: ReactNode, answers: Parameters<typeof answerCalls>[0]) {
  const calls = answerCalls(answers);
  const rendered = renderPart(part);
  const press = async (name: string) => rendered.user.click(await screen.findByRole('button', { name }));
  return { ...rendered, press, calls };
}

test('an account is deleted only with the word, and the person stays signed in if that fails', async () => {
  const { user, press, calls } = render(<DeleteAccount hasPassword />, { 'DELETE /auth/account': [null] });
  await press('Delete your account');
  await user.type(await screen.findByLabelText('Your password'), 'secret words');
  await press('Delete for good');
  expect((await screen.findAllByText('Type DELETE to confirm', { exact: false })).length).toBeGreaterThan(1);
  expect(calls).toEqual([]);
  await user.type(screen.getByLabelText('Type DELETE to confirm'), 'delete');
  await press('Delete for good');
  await screen.findByText(/trouble connecting to the server/);
  expect(calls.map(({ body }) => body)).toEqual([{ currentPassword: 'secret words' }]);
  expect(readUser()?._id).toBe('me');
  expect(screen.getByLabelText<HTMLInputElement>('Your password').value).toBe('secret words');
});

test('a new password is sent only after the present one was found right, and what was typed stays if it was not', async () => {
  const { user, press, calls } = render(<ProfileForm profile={profile} />, {
    'POST /auth/check-password': [{ body: { isValid: false } }, { body: { isValid: true } }],
    'PUT /auth/update': [{ body: { data: { ...profile, token: 'new token' } } }],
  });
  await user.type(await screen.findByLabelText('Current password'), 'wrong words');
  for (const label of ['New password', 'Confirm new password']) await user.type(screen.getByLabelText(label), 'better words');
  await press('Save changes');
  const field = screen.getByLabelText<HTMLInputElement>('Current password');
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  expect(calls.map(({ path }) => path)).toEqual(['/auth/check-password']);
  expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('better words');
  await user.clear(field);
  await user.type(field, 'right words');
  await press('Save changes');
  await screen.findByText('Account updated successfully');
  expect(calls.at(-1)?.body).toEqual({ password: 'better words', currentPassword: 'right words' });
  // The session of before has ended with the password.
  expect(readUser()?.token).toBe('new token');
  for (const label of ['Current password', 'New password']) expect(screen.getByLabelText<HTMLInputElement>(label).value).toBe('');
});

test('changes that were not saved are said to be so, stay and are saved once for two presses', async () => {
  const { answer, give } = createLateAnswer({ body: { data: { ...profile, phoneNumber: '021 123 4567' } } });
  const { user, press, calls } = render(<ProfileForm profile={profile} />, { 'PUT /auth/update': [null, answer] });
  await user.type(await screen.findByLabelText(/^Phone number/), '021 123 4567');
  await press('Save changes');
  await screen.findByText('Failed to update account');
  expect(screen.queryByText('Account updated successfully')).toBeNull();
  await press('Save changes');
  await press('Saving...');
  give();
  await screen.findByText('Account updated successfully');
  expect(calls.map(({ body }) => body)).toEqual(Array.from({ length: 2 }, () => ({ phoneNumber: '021 123 4567' })));
});

test('a new address is not shown as asked for until it is, and the focus goes back to its heading', async () => {
  const { user, press, calls } = render(<AddressSection profile={profile} />, {
    'PUT /auth/email': [null, { body: { data: { ...profile, pendingEmail: 'kingi@example.org' } } }],
  });
  await press('Change address');
  await user.type(await screen.findByLabelText('New email address'), 'kingi@example.org');
  await user.type(screen.getByLabelText('Your password'), 'secret words');
  await press('Send the link');
  await screen.findByText(/trouble connecting to the server/);
  expect(screen.getByLabelText<HTMLInputElement>('New email address').value).toBe('kingi@example.org');
  await press('Send the link');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Email address'));
  expect(calls.map(({ body }) => body)).toEqual(
    Array.from({ length: 2 }, () => ({ email: 'kingi@example.org', currentPassword: 'secret words' })),
  );
  expect(screen.getByText('mere@example.org')).toBeTruthy();
});

test('a confirmation link that could not be sent is not said to be on its way', async () => {
  const { press } = render(<ResendConfirmation />, { 'POST /auth/verify-email/resend': [null, { body: {} }] });
  await press('Send the link again');
  expect((await screen.findByText(/could not be sent/)).getAttribute('role')).toBe('status');
  expect(screen.queryByText(/on its way/)).toBeNull();
  await press('Send the link again');
  await screen.findByText(/on its way/);
});
