import { screen, waitFor } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { ownSecurity } from '../../domains/sign-in/sessions.tsx';
import { storeUser, type StoredUser } from '../../lib/session/stored-user.ts';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
import { stubPasskeys } from '../../lib/testing/passkeys.ts';
import { Toaster } from '../../ui/feedback/toast.tsx';
import AccountSecurityPage from './account-security.tsx';

const at = '2026-11-01T00:00:00.000Z';
const security = {
  hasPassword: true,
  authenticator: true,
  recoveryCodesLeft: 3,
  passkeys: [{ _id: 'key', name: 'My phone', createdAt: at, lastUsedAt: null }],
  identities: [{ provider: 'google', email: 'mere@example.org', createdAt: at, lastUsedAt: null }],
};
const here = { _id: 'here', browser: 'Firefox', current: true, createdAt: at, lastUsedAt: at, look: null };
const there = { ...here, _id: 'there', browser: 'Safari', current: false };

beforeEach(() => storeUser({ _id: 'me', token: 'token', emailConfirmed: true } as StoredUser));

function render(answers: Parameters<typeof answerCalls>[0]) {
  const calls = answerCalls({
    'GET /auth/security': [{ body: security }],
    'GET /auth/sessions': [{ body: { sessions: [here, there] } }],
    ...answers,
  });
  const Page = AccountSecurityPage as (props: Partial<ComponentProps<typeof AccountSecurityPage>>) => React.JSX.Element;
  const part = renderPart(
    <>
      <Toaster />
      <Page />
    </>,
    { root: { signInWith: ['google', 'apple'] } },
  );
  const press = async (name: string | RegExp) => part.user.click(await screen.findByRole('button', { name }));
  return { ...part, press, changes: () => calls.filter(({ method }) => method !== 'GET') };
}

test('recovery codes stay on the screen until they are kept, whatever fails to load meanwhile', async () => {
  const { press, client } = render({
    'GET /auth/security': [{ body: security }, null],
    'POST /auth/recovery-codes': [{ body: { recoveryCodes: ['AAAA-1111', 'BBBB-2222'] } }],
  });
  await press('New recovery codes');
  await screen.findByText('BBBB-2222');
  await client.invalidateQueries();
  await waitFor(() => expect(client.getQueryState(ownSecurity.queryKey)?.status).toBe('error'));
  expect(screen.getByText('BBBB-2222')).toBeTruthy();
  await press('I have kept them');
  expect(screen.queryByText('BBBB-2222')).toBeNull();
});

test.each([
  ['the second step', 'Turn the second step off', 'Turn it off', 'DELETE /auth/authenticator', 'Second step'],
  ['a passkey', 'Remove My phone', 'Remove it', 'DELETE /auth/passkeys/key', 'Passkeys'],
  ['a connected account', 'Disconnect Google', 'Disconnect it', 'DELETE /auth/identities/google', 'Google and Apple'],
])('%s is removed only after a second yes, which takes the focus to its heading', async (_, ask, confirm, address, heading) => {
  const { press, changes } = render({ [address]: [{ body: { message: 'It is removed' } }] });
  await press(ask);
  await press('Keep it');
  expect(changes()).toEqual([]);
  await press(ask);
  await press(confirm);
  await screen.findByText('It is removed');
  expect(changes().map(({ method, path }) => `${method} ${path}`)).toEqual([address]);
  await waitFor(() => expect(document.activeElement?.textContent).toBe(heading));
});

test('what could not be removed is said to be still there, and can be removed again', async () => {
  const { press, changes } = render({ 'DELETE /auth/passkeys/key': [null, { body: { message: 'That passkey is gone' } }] });
  await press('Remove My phone');
  await press('Remove it');
  await screen.findByText(/trouble connecting to the server/);
  expect(screen.queryByText('That passkey is gone')).toBeNull();
  await press('Remove My phone');
  await press('Remove it');
  await screen.findByText('That passkey is gone');
  expect(changes()).toHaveLength(2);
});

test('only the device that was chosen is signed out, and a failure is no success', async () => {
  const { press, changes } = render({ 'DELETE /auth/sessions/there': [null, { body: { message: 'Signed out there' } }] });
  await press('Sign out Safari');
  await screen.findByText(/trouble connecting to the server/);
  expect(screen.queryByText('Signed out there')).toBeNull();
  await press('Sign out Safari');
  await screen.findByText('Signed out there');
  expect(changes().map(({ path }) => path)).toEqual(['/auth/sessions/there', '/auth/sessions/there']);
  expect(screen.queryByRole('button', { name: 'Sign out Firefox' })).toBeNull();
});

test('sessions that could not be loaded are not shown as none, and are loaded again', async () => {
  const { press } = render({ 'GET /auth/sessions': [null, { body: { sessions: [here, there] } }] });
  await screen.findByText(/trouble connecting to the server/);
  await press(/again/i);
  expect(await screen.findByRole('button', { name: 'Sign out elsewhere' })).toBeTruthy();
});

const creation = {
  body: {
    options: {
      challenge: btoa('creation'),
      rp: { id: 'localhost', name: 'Handwise' },
      user: { id: btoa('me'), name: 'mere', displayName: 'Mere' },
      pubKeyCredParams: [],
    },
  },
};

test('a passkey is added only once the browser has made it and the server has taken it', async () => {
  const passkeys = stubPasskeys();
  passkeys.decline('NotAllowedError');
  passkeys.decline('InvalidStateError');
  passkeys.answer();
  passkeys.answer();
  const { press, changes } = render({
    'GET /auth/security': [{ body: { ...security, passkeys: [] } }, { body: security }],
    'POST /auth/passkeys/options': [creation],
    'POST /auth/passkeys': [null, { body: { message: 'Done' } }],
  });
  const added = 'From now on you can sign in with this passkey';
  await press('Add a passkey');
  await screen.findByText('No passkey was used. You can try again, or go on without one.');
  await press('Add a passkey');
  await screen.findByText('This device already has a passkey for your account.');
  expect(changes().map(({ path }) => path)).toEqual(Array.from({ length: 2 }, () => '/auth/passkeys/options'));
  await press('Add a passkey');
  await screen.findByText(/trouble connecting to the server/);
  expect(screen.queryByText(added)).toBeNull();
  await press('Add a passkey');
  await screen.findByText(added);
  await screen.findByRole('button', { name: 'Rename My phone' });
  expect(passkeys.asked.every(({ kind, challenge }) => kind === 'create' && challenge === 'creation')).toBe(true);
  expect(changes().at(-1)?.body).toMatchObject({ answer: { id: 'key', clientExtensionResults: {} } });
});

test('a passkey keeps its name until a new one is saved', async () => {
  const { press, user, changes } = render({
    'GET /auth/security': [{ body: security }, { body: { ...security, passkeys: [{ ...security.passkeys[0], name: 'Work phone' }] } }],
    'PUT /auth/passkeys/key': [null, { body: { message: 'Named' } }],
  });
  await press('Rename My phone');
  const field = await screen.findByLabelText<HTMLInputElement>('Name');
  expect(field.value).toBe('My phone');
  await user.clear(field);
  await press('Save');
  expect((await screen.findAllByText('Name is required')).length).toBeGreaterThan(0);
  await user.type(field, 'Work phone');
  await press('Save');
  await screen.findByText(/Nothing you typed is lost/);
  expect(field.value).toBe('Work phone');
  await press('Save');
  await screen.findByText('Named');
  await screen.findByRole('button', { name: 'Rename Work phone' });
  expect(changes().map(({ body }) => body)).toEqual([{ name: 'Work phone' }, { name: 'Work phone' }]);
});

test('the second step is on only after a right code, whose recovery codes are then shown', async () => {
  const wrong = { status: 400, body: { code: 'invalid_input', message: 'This code is not right.' } };
  const { press, user, changes } = render({
    'GET /auth/security': [{ body: { ...security, authenticator: false } }, { body: security }],
    'POST /auth/authenticator': [null, { body: { secret: 'ABCDEFGHIJKLMNOP', uri: 'otpauth://totp/Handwise?secret=ABCDEFGHIJKLMNOP' } }],
    'POST /auth/authenticator/confirm': [wrong, null, { body: { recoveryCodes: ['AAAA-1111'] } }],
  });
  await press('Set up an authenticator app');
  await screen.findByText(/trouble connecting to the server/);
  await press('Set up an authenticator app');
  await screen.findByText('ABCD EFGH IJKL MNOP');
  expect(screen.getByRole('link', { name: 'Open it in your app' }).getAttribute('href')).toMatch(/^otpauth:/);
  await user.type(screen.getByLabelText('Code the app shows now'), '123 456');
  for (const words of ['This code is not right.', /Nothing you typed is lost/]) {
    await press('Turn the second step on');
    await screen.findByText(words);
    screen.getByText('ABCD EFGH IJKL MNOP');
  }
  await press('Turn the second step on');
  await screen.findByText('AAAA-1111');
  expect(screen.queryByText('ABCD EFGH IJKL MNOP')).toBeNull();
  const file = screen.getByRole('link', { name: 'Download' }).getAttribute('href') ?? '';
  expect(decodeURIComponent(file)).toContain('AAAA-1111');
  await press('I have kept them');
  await screen.findByRole('button', { name: 'New recovery codes' });
  expect(
    changes()
      .slice(2)
      .map(({ body }) => body),
  ).toEqual(Array.from({ length: 3 }, () => ({ code: '123456' })));
});

test('new recovery codes that were not made are not shown, and none left is said', async () => {
  const { press } = render({
    'GET /auth/security': [{ body: { ...security, recoveryCodesLeft: 0 } }],
    'POST /auth/recovery-codes': [null],
  });
  await screen.findByText(/You have no recovery codes left/);
  await press('New recovery codes');
  await screen.findByText(/trouble connecting to the server/);
  expect(screen.queryByText('Keep your recovery codes')).toBeNull();
});

test('whoever has no password is sent to choose one by email, and only the other provider is offered', async () => {
  render({ 'GET /auth/security': [{ body: { ...security, hasPassword: false } }] });
  expect((await screen.findByRole('link', { name: 'Choose a password' })).getAttribute('href')).toBe('/auth/forgot-password');
  await screen.findByRole('button', { name: 'Connect Apple' });
  expect(screen.queryByRole('button', { name: 'Connect Google' })).toBeNull();
});

test('all other devices are signed out on one press, and the button is gone with them', async () => {
  const { press, changes } = render({
    'GET /auth/sessions': [{ body: { sessions: [here, there] } }, { body: { sessions: [here] } }],
    'DELETE /auth/sessions': [{ body: { message: 'All other devices have been signed out' } }],
  });
  await press('Sign out elsewhere');
  await screen.findByText('All other devices have been signed out');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Sign out elsewhere' })).toBeNull());
  expect(changes().map(({ method, path }) => `${method} ${path}`)).toEqual(['DELETE /auth/sessions']);
});
