import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { call } from '../../lib/api.ts';
import { storeUser, type StoredUser } from '../../lib/session/stored-user.ts';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
import { stubPasskeys } from '../../lib/testing/passkeys.ts';
import { ConfirmIdentity } from './confirm-identity.tsx';

const security = { hasPassword: true, authenticator: false, passkeys: [], identities: [] };
const isItYou = { status: 403, body: { code: 'confirm_identity', message: 'Please confirm that it is you.' } };
const done = { body: { message: 'Done' } };
const wrong = { status: 400, body: { code: 'invalid_input', message: 'This is not your password' } };

/** Something that only its owner may do. */
function Sensitive() {
  const [words, setWords] = useState('');
  const end = () =>
    call('DELETE /auth/sessions', {}).then(
      () => setWords('It is done'),
      (error: Error) => setWords(error.message),
    );
  return (
    <>
      <button onClick={() => void end()}>Sign out elsewhere</button>
      <p>{words}</p>
      <ConfirmIdentity />
    </>
  );
}

function show(answers: Parameters<typeof answerCalls>[0]) {
  const calls = answerCalls({
    'DELETE /auth/sessions': [isItYou, done],
    'GET /auth/security': [{ body: security }],
    'POST /auth/confirm-identity': [done],
    ...answers,
  });
  const part = renderPart(<Sensitive />, { path: '/account/security' });
  const press = async (name: string) => part.user.click(await screen.findByRole('button', { name }));
  const type = async (label: string, text: string) => {
    const field = await screen.findByLabelText<HTMLInputElement>(label);
    await part.user.clear(field);
    await part.user.type(field, text);
  };
  const proofs = () => calls.filter(({ path }) => path.startsWith('/auth/confirm-identity')).map(({ body }) => body);
  const tries = () => calls.filter(({ path }) => path === '/auth/sessions').length;
  return { ...part, press, type, proofs, tries };
}
const dialog = () => screen.findByRole('dialog', { name: 'Is it you?' });

beforeEach(() => storeUser({ _id: 'me', token: 'token' } as StoredUser));

test('what was asked for is done by itself once the password is right, and not before', async () => {
  const { press, type, proofs, tries } = show({ 'POST /auth/confirm-identity': [wrong, null, done] });
  await press('Sign out elsewhere');
  await type('Password', 'wrong words');
  await press('Continue');
  await screen.findByText('This is not your password');
  expect(screen.queryByLabelText('Code')).toBeNull();
  await type('Password', 'right words');
  await press('Continue');
  await screen.findByText(/Nothing you typed is lost/);
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('right words');
  expect(tries()).toBe(1);
  await press('Continue');
  await screen.findByText('It is done');
  expect(tries()).toBe(2);
  expect(screen.queryByRole('heading', { name: 'Is it you?' })).toBeNull();
  expect(proofs()).toEqual(['wrong words', 'right words', 'right words'].map((password) => ({ password })));
});

test('whoever closes the question has done nothing, and is asked again the next time', async () => {
  const { user, press, type, tries } = show({ 'DELETE /auth/sessions': [isItYou, isItYou, done] });
  await press('Sign out elsewhere');
  await screen.findByLabelText('Password');
  await user.click(within(await dialog()).getByRole('button', { name: 'Close' }));
  await screen.findByText('Please confirm that it is you.');
  expect(tries()).toBe(1);
  await press('Sign out elsewhere');
  await type('Password', 'right words');
  await press('Continue');
  await screen.findByText('It is done');
  expect(tries()).toBe(3);
});

test('with an authenticator app the code is asked for as well, or a recovery code', async () => {
  const { press, type, proofs } = show({
    'GET /auth/security': [{ body: { ...security, authenticator: true } }],
    'POST /auth/confirm-identity': [{ status: 400, body: { code: 'invalid_input', message: 'This code is not right.' } }, done],
  });
  await press('Sign out elsewhere');
  await type('Password', 'right words');
  await press('Continue');
  expect((await screen.findAllByText('Enter the code from your app')).length).toBeGreaterThan(0);
  await type('Code', '123 456');
  await press('Continue');
  await screen.findByText('This code is not right.');
  await press('Use a recovery code');
  expect(screen.queryByLabelText('Code')).toBeNull();
  await press('Continue');
  expect((await screen.findAllByText('Enter a recovery code')).length).toBeGreaterThan(0);
  await type('Recovery code', 'abcdef-ghjkmn-pqrstv-wxyz23');
  await press('Continue');
  await screen.findByText('It is done');
  expect(proofs()).toEqual([
    { password: 'right words', code: '123456' },
    { password: 'right words', recoveryCode: 'ABCDEFGHJKMNPQRSTVWXYZ23' },
  ]);
});

test('a passkey proves it as well, and one that was declined proves nothing', async () => {
  const passkeys = stubPasskeys();
  passkeys.decline('NotAllowedError');
  passkeys.answer();
  const { press, proofs, tries } = show({
    'GET /auth/security': [{ body: { ...security, passkeys: [{}] } }],
    'POST /auth/confirm-identity/passkey-options': [{ body: { options: { challenge: btoa('proof') } } }],
  });
  await press('Sign out elsewhere');
  await press('Use a passkey');
  await screen.findByText('No passkey was used. You can try again, or go on without one.');
  expect(tries()).toBe(1);
  await press('Use a passkey');
  await screen.findByText('It is done');
  expect(proofs().at(-1)).toMatchObject({ passkey: { id: 'key' } });
  expect(passkeys.asked.map(({ challenge }) => challenge)).toEqual(['proof', 'proof']);
});

test('how somebody signs in is asked for again if it could not be read', async () => {
  const { press, type } = show({ 'GET /auth/security': [null, { body: security }] });
  await press('Sign out elsewhere');
  await screen.findByText(/We could not read how you sign in\./);
  expect(screen.queryByLabelText('Password')).toBeNull();
  await press('Try Again');
  await type('Password', 'right words');
  await press('Continue');
  await screen.findByText('It is done');
});

// The last, because the page is left for the provider and its question stays open.
test('without a password it is proved at the provider that was pressed, which leads back here', async () => {
  const assign = vi.fn<(url: string | URL) => void>();
  const before = Object.getOwnPropertyDescriptor(location, 'assign');
  Object.defineProperty(location, 'assign', { value: assign, configurable: true });
  history.replaceState(null, '', '/account/security?from=mail');
  const identities = ['google', 'apple'].map((provider) => ({ provider, email: '', createdAt: '', lastUsedAt: null }));
  const { press, type, proofs } = show({
    'GET /auth/security': [{ body: { hasPassword: false, authenticator: true, passkeys: [], identities } }],
    'POST /auth/confirm-identity/with': [null, { body: { url: 'https://apple.example/' } }],
  });
  await press('Sign out elsewhere');
  await type('Code', '123456');
  expect(screen.queryByLabelText('Password')).toBeNull();
  await press('Continue with Apple');
  await screen.findByText(/Nothing you typed is lost/);
  await press('Continue with Apple');
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://apple.example/'));
  expect(proofs()).toEqual(
    Array.from({ length: 2 }, () => ({ provider: 'apple', redirect: '/account/security?from=mail', code: '123456' })),
  );
  if (before) Object.defineProperty(location, 'assign', before);
});
