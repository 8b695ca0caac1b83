import { screen, waitFor } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { ownSecurity } from '../../domains/sign-in/sessions.tsx';
import { storeUser, type StoredUser } from '../../lib/session/stored-user.ts';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
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
