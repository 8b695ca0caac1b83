import { screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { deviceKey, readStored } from '../../lib/browser-storage.ts';
import { forgetUser, readUser, storeUser, type StoredUser } from '../../lib/session/stored-user.ts';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import { stubPasskeys } from '../../lib/testing/passkeys.ts';
import { Toaster } from '../../ui/feedback/toast.tsx';
import VisitorsLayout from '../layouts/visitors.tsx';
import ForgotPasswordPage from './forgot-password.tsx';
import LoginPage from './login.tsx';
import ResetPasswordPage from './reset-password.tsx';
import VerifyEmailPage from './verify-email.tsx';

const mere = { _id: 'mere', token: 'token', email: 'mere@example.org', fullName: 'Mere Kingi', emailConfirmed: true } as StoredUser;
const device = 'd'.repeat(43);
const session = { body: { data: mere, device } };
const refusal = (status: number, code: string, message: string) => ({ status, body: { code, message } });
const wrong = refusal(401, 'invalid_credentials', 'Email or password is incorrect.');
const over = refusal(401, 'sign_in_over', 'Signing in took too long. Please start again.');
const needsStep = (...methods: string[]) => ({ body: { secondStep: { token: 'step', methods } } });
const challenge = (text: string) => ({ body: { options: { challenge: btoa(text) } } });

function show(path: string, answers: Parameters<typeof answerCalls>[0]) {
  const calls = answerCalls(answers);
  const answer = fetch;
  const devices: (string | undefined)[] = [];
  vi.stubGlobal('fetch', (target: string, init: { headers?: Record<string, string> } = {}) => {
    devices.push(init.headers?.['x-device']);
    return answer(target, init);
  });
  const part = renderPart(
    <>
      <Toaster />
      <Routes>
        <Route element={<VisitorsLayout />}>
          <Route path="/auth/login" element={<LoginPage />} />
        </Route>
        <Route path="/auth/forgot-password" element={<ForgotPasswordPage />} />
        <Route path="/auth/reset" element={<ResetPasswordPage />} />
        <Route path="/auth/verify" element={<VerifyEmailPage />} />
        <Route path="*" element={<p>Another page</p>} />
      </Routes>
    </>,
    { path, root: { signInWith: [] } },
  );
  const press = async (name: string) => part.user.click(await screen.findByRole('button', { name }));
  const type = async (label: string, text: string) => {
    const field = await screen.findByLabelText<HTMLInputElement>(label);
    await part.user.clear(field);
    await part.user.type(field, text);
  };
  const typePassword = async () => {
    await type('Email', 'mere@example.org');
    await type('Password', 'secret words');
  };
  const at = () => part.router.state.location.pathname + part.router.state.location.search;
  const sentTo = (address: string) => calls.filter((one) => `${one.method} ${one.path}` === address).map(({ body }) => body);
  return { ...part, press, type, typePassword, at, calls, sentTo, devices };
}
const valueOf = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;

beforeEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
  forgetUser();
});

test('after a sign-in that failed, what was typed stays, and the next one leads back as a known device', async () => {
  const { press, typePassword, at, sentTo, devices, type } = show('/auth/login?redirect=/account/receipts%3Fpage=2', {
    'POST /auth/login': [null, wrong, session],
  });
  await screen.findByText('Sign in to see your tax invoices.');
  await press('Sign in');
  for (const text of ['Email is required', 'Password is required']) expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
  expect(sentTo('POST /auth/login')).toEqual([]);
  await typePassword();
  await press('Sign in');
  await screen.findByText(/Nothing you typed is lost/);
  expect([valueOf('Email'), valueOf('Password')]).toEqual(['mere@example.org', 'secret words']);
  await press('Sign in');
  await screen.findByText('Email or password is incorrect.');
  expect(readUser()).toBeNull();
  expect(valueOf('Email')).toBe('mere@example.org');
  await type('Password', 'better words');
  await press('Sign in');
  await screen.findByText('Another page');
  expect(at()).toBe('/account/receipts?page=2');
  expect(readUser()?.token).toBe('token');
  expect(readStored(deviceKey)).toBe(device);
  expect(devices).toEqual([undefined, undefined, undefined]);
  expect(sentTo('POST /auth/login').at(-1)).toEqual({ email: 'mere@example.org', password: 'better words' });
});

test('a device that has signed in before says so, and two presses sign in once', async () => {
  localStorage.setItem(deviceKey, device);
  const { answer, give } = createLateAnswer(session);
  const { user, press, typePassword, at, devices } = show('/auth/login', { 'POST /auth/login': [answer] });
  await typePassword();
  await press('Sign in');
  await press('Signing in...');
  await user.type(screen.getByLabelText('Password'), '{Enter}');
  give();
  await waitFor(() => expect(at()).toBe('/home'));
  expect(devices).toEqual([device]);
});

test('a wrong code can be typed again, and nobody is signed in before it is right', async () => {
  const { press, type, typePassword, sentTo, at } = show('/auth/login?redirect=/account', {
    'POST /auth/login': [needsStep('code')],
    'POST /auth/login/second-step': [null, refusal(400, 'invalid_input', 'This code is not right.'), session],
  });
  await typePassword();
  await press('Sign in');
  const code = await screen.findByLabelText<HTMLInputElement>('Code');
  expect(document.activeElement).toBe(code);
  expect(readUser()).toBeNull();
  // Without a recovery code or a passkey, neither is offered.
  expect(screen.queryByRole('button', { name: /recovery|passkey/ })).toBeNull();
  await type('Code', '12345');
  await press('Sign in');
  expect((await screen.findAllByText('The code has 6 digits')).length).toBeGreaterThan(0);
  await type('Code', '123 456');
  await press('Sign in');
  await screen.findByText(/Nothing you typed is lost/);
  expect(valueOf('Code')).toBe('123 456');
  await press('Sign in');
  await screen.findByText('This code is not right.');
  await type('Code', '654321');
  await press('Sign in');
  await waitFor(() => expect(at()).toBe('/account'));
  expect(sentTo('POST /auth/login/second-step')).toEqual(['123456', '123456', '654321'].map((sent) => ({ token: 'step', code: sent })));
  expect(readUser()?.token).toBe('token');
});

test('a second step that is sent again by the Enter key while it runs counts once', async () => {
  const { answer, give } = createLateAnswer(session);
  const { user, press, type, typePassword, sentTo, at } = show('/auth/login', {
    'POST /auth/login': [needsStep('code')],
    'POST /auth/login/second-step': [answer],
  });
  await typePassword();
  await press('Sign in');
  await type('Code', '123456{Enter}');
  await screen.findByRole('button', { name: 'Checking...' });
  await user.type(screen.getByLabelText('Code'), '{Enter}');
  give();
  await waitFor(() => expect(at()).toBe('/home'));
  expect(sentTo('POST /auth/login/second-step')).toHaveLength(1);
});

test('a lost phone is replaced by a recovery code, and one that took too long starts again with what was typed', async () => {
  localStorage.setItem(deviceKey, device);
  const { press, type, typePassword, sentTo, at, devices } = show('/auth/login', {
    'POST /auth/login': [needsStep('code', 'recoveryCode')],
    'POST /auth/login/second-step': [over, session],
  });
  await typePassword();
  await press('Sign in');
  await press('Use a recovery code');
  expect(document.activeElement).toBe(await screen.findByLabelText('Recovery code'));
  await type('Recovery code', 'abcdef-ghjkmn-pqrstv-wxyz23');
  await press('Sign in');
  await screen.findByText('Signing in took too long. Please start again.');
  await waitFor(() => expect(valueOf('Email')).toBe('mere@example.org'));
  expect(readUser()).toBeNull();
  await press('Sign in');
  await press('Use a recovery code');
  await press('Use a code from your app');
  await screen.findByLabelText('Code');
  await press('Use a recovery code');
  await type('Recovery code', 'ABCDEF GHJKMN PQRSTV WXYZ23');
  await press('Sign in');
  await waitFor(() => expect(at()).toBe('/home'));
  expect(sentTo('POST /auth/login/second-step')).toEqual(
    Array.from({ length: 2 }, () => ({ token: 'step', recoveryCode: 'ABCDEFGHJKMNPQRSTVWXYZ23' })),
  );
  expect(devices).toEqual(Array.from({ length: 4 }, () => device));
});

test('starting again leads from the second step back to the password', async () => {
  const { press, typePassword } = show('/auth/login', { 'POST /auth/login': [needsStep('code')] });
  await typePassword();
  await press('Sign in');
  await press('Start again');
  await waitFor(() => expect(valueOf('Email')).toBe('mere@example.org'));
});

test('a passkey that was declined or refused is said, and the next press signs in', async () => {
  const passkeys = stubPasskeys();
  passkeys.decline('NotAllowedError');
  passkeys.answer();
  passkeys.answer();
  const { press, sentTo, at } = show('/auth/login?redirect=/account', {
    'POST /auth/login/passkey/options': [null, challenge('sign-in')],
    'POST /auth/login/passkey': [refusal(401, 'passkey_refused', 'This passkey does not work here.'), session],
  });
  await press('Sign in with a passkey');
  await screen.findByText(/trouble connecting to the server/);
  expect(passkeys.asked).toEqual([]);
  await press('Sign in with a passkey');
  await screen.findByText('No passkey was used. You can try again, or go on without one.');
  expect(sentTo('POST /auth/login/passkey')).toEqual([]);
  await press('Sign in with a passkey');
  expect((await screen.findByText('This passkey does not work here.')).getAttribute('role')).toBe('alert');
  expect(readUser()).toBeNull();
  await press('Sign in with a passkey');
  await waitFor(() => expect(at()).toBe('/account'));
  expect(passkeys.asked.at(-1)).toMatchObject({ kind: 'get', challenge: 'sign-in' });
  expect(sentTo('POST /auth/login/passkey').at(-1)).toMatchObject({ answer: { id: 'key', clientExtensionResults: {} } });
});

test('a passkey chosen in the autofill signs in, and a failure of it is said; one that was not chosen disturbs nobody', async () => {
  const passkeys = stubPasskeys({ offers: true });
  passkeys.answer();
  const { unmount, typePassword, press } = show('/auth/login', {
    'POST /auth/login/passkey/options': [challenge('offer')],
    'POST /auth/login/passkey': [null],
    'POST /auth/login': [wrong],
  });
  await screen.findByText(/trouble connecting to the server/);
  expect(passkeys.asked).toEqual([{ kind: 'get', mediation: 'conditional', challenge: 'offer' }]);
  await typePassword();
  await press('Sign in');
  await screen.findByText('Email or password is incorrect.');
  unmount();

  passkeys.answer();
  const second = show('/auth/login?redirect=/account', {
    'POST /auth/login/passkey/options': [challenge('offer')],
    'POST /auth/login/passkey': [session],
  });
  await waitFor(() => expect(second.at()).toBe('/account'));
  second.unmount();
  forgetUser();

  const third = show('/auth/login', {
    'POST /auth/login/passkey/options': [refusal(503, 'busy', 'Too busy for passkeys.')],
    'POST /auth/login': [wrong],
  });
  await waitFor(() => expect(third.calls).toHaveLength(1));
  await third.typePassword();
  await third.press('Sign in');
  await screen.findByText('Email or password is incorrect.');
  expect(screen.queryByText('Too busy for passkeys.')).toBeNull();
});

test('a passkey as the second step is asked for with the token of the first', async () => {
  const passkeys = stubPasskeys();
  passkeys.answer();
  passkeys.answer();
  const { press, typePassword, sentTo, at } = show('/auth/login', {
    'POST /auth/login': [needsStep('code', 'passkey')],
    'POST /auth/login/second-step/passkey-options': [challenge('second')],
    'POST /auth/login/second-step': [over, session],
  });
  await typePassword();
  await press('Sign in');
  await press('Use a passkey');
  // It took too long.
  await screen.findByLabelText('Password');
  await press('Sign in');
  await press('Use a passkey');
  await waitFor(() => expect(at()).toBe('/home'));
  expect(sentTo('POST /auth/login/second-step/passkey-options')).toEqual([{ token: 'step' }, { token: 'step' }]);
  expect(passkeys.asked.map((one) => one.challenge)).toEqual(['second', 'second']);
  expect(sentTo('POST /auth/login/second-step').at(-1)).toMatchObject({ token: 'step', passkey: { id: 'key' } });
});

test('a link for a new password is said to be on its way only once it is, to the address that was sent', async () => {
  const { user, press, type, sentTo } = show('/auth/forgot-password', {
    'POST /auth/forgot-password': [null, { body: { message: 'Done' } }],
  });
  await type('Email', 'mere@example.org');
  await press('Send me a link');
  await screen.findByText(/Nothing you typed is lost/);
  expect(screen.queryByText(/on its way/)).toBeNull();
  await press('Send me a link');
  await screen.findByText(/an account with mere@example.org, a link is on its way/);
  await type('Email', 'kingi@example.org');
  screen.getByText(/mere@example.org/);
  await press('Send another link');
  await screen.findByText(/an account with kingi@example.org/);
  expect(screen.queryByText(/mere@example.org/)).toBeNull();
  await user.clear(screen.getByLabelText('Email'));
  await press('Send another link');
  expect((await screen.findAllByText('Email is required')).length).toBeGreaterThan(0);
  expect(sentTo('POST /auth/forgot-password')).toEqual(
    ['mere@example.org', 'mere@example.org', 'kingi@example.org'].map((email) => ({ email })),
  );
});

test('a new password that was not saved stays typed and is sent again with the token; then it signs in', async () => {
  const { press, type, sentTo, at } = show('/auth/reset?token=abc', {
    'POST /auth/reset-password': [null, { body: { ...session.body, credentialsEnded: false } }],
  });
  await type('New password', 'short');
  await press('Save and sign in');
  expect((await screen.findAllByText('Password must be at least 6 characters')).length).toBeGreaterThan(0);
  await type('New password', 'better words');
  await press('Save and sign in');
  await screen.findByText(/Nothing you typed is lost/);
  expect(screen.queryByText(/Your new password is set/)).toBeNull();
  expect(readUser()).toBeNull();
  await press('Save and sign in');
  await screen.findByText('Your new password is set. Every other device has been signed out.');
  await waitFor(() => expect(at()).toBe('/home'));
  expect(readUser()?.token).toBe('token');
  expect(sentTo('POST /auth/reset-password')).toEqual(Array.from({ length: 2 }, () => ({ token: 'abc', password: 'better words' })));
});

test('a used link says so, and whose passkeys were removed is told', async () => {
  const { press, type, at } = show('/auth/reset?token=abc', {
    'POST /auth/reset-password': [
      refusal(400, 'link_not_valid', 'This link has been used or is too old.'),
      { body: { ...session.body, credentialsEnded: true } },
    ],
  });
  await type('New password', 'better words');
  await press('Save and sign in');
  await screen.findByText('This link has been used or is too old.');
  expect(at()).toBe('/auth/reset?token=abc');
  await press('Save and sign in');
  await screen.findByText(/every passkey, authenticator app and recovery code was removed/);
  await waitFor(() => expect(at()).toBe('/home'));
});

test('a new password with a second step goes on after the code, or to the sign-in if that took too long', async () => {
  const answers = { 'POST /auth/reset-password': [needsStep('code')], 'POST /auth/login/second-step': [session, over] };
  const first = show('/auth/reset?token=abc', answers);
  const setPassword = async ({ type, press }: typeof first) => {
    await type('New password', 'better words');
    await press('Save and sign in');
    await type('Code', '123456');
    expect(readUser()).toBeNull();
    await press('Sign in');
  };
  await setPassword(first);
  await waitFor(() => expect(first.at()).toBe('/home'));
  expect(readUser()?.token).toBe('token');
  first.unmount();
  forgetUser();
  const second = show('/auth/reset?token=abc', { ...answers, 'POST /auth/login/second-step': [over] });
  await setPassword(second);
  await waitFor(() => expect(second.at()).toBe('/auth/login'));
  expect(readUser()).toBeNull();
});

test('a link without its token asks for a new one', async () => {
  show('/auth/reset', {});
  expect((await screen.findByRole('link', { name: 'Get a new link' })).getAttribute('href')).toBe('/auth/forgot-password');
  expect(screen.queryByLabelText('New password')).toBeNull();
});

test('an address is confirmed on a press only, again after a failure, and leads to the newest conversation', async () => {
  storeUser({ ...mere, emailConfirmed: false });
  const { press, sentTo, calls } = show('/auth/verify?token=abc', {
    'POST /auth/verify-email': [null, { body: { message: 'Done' } }],
    'GET /auth/session': [{ body: { data: { ...mere, emailConfirmed: true } } }],
    'GET /messages': [{ body: { conversations: [{ _id: 'newest' }] } }],
  });
  await screen.findByRole('button', { name: 'Confirm my address' });
  expect(calls).toEqual([]);
  await press('Confirm my address');
  await screen.findByText(/The link still works: please try again/);
  expect(readUser()?.emailConfirmed).toBe(false);
  await press('Confirm my address');
  await screen.findByRole('heading', { name: 'Your address is confirmed' });
  const back = await screen.findByRole('link', { name: 'Back to your conversation' });
  expect(back.getAttribute('href')).toBe('/messages/newest');
  expect(readUser()).toMatchObject({ emailConfirmed: true, token: 'token' });
  expect(sentTo('POST /auth/verify-email')).toEqual([{ token: 'abc' }, { token: 'abc' }]);
});

test('the conversation that waited for the address is the one that is gone back to', async () => {
  const conversation = '0196f1f0-0000-7000-8000-000000000001';
  const { press, calls } = show(`/auth/verify?token=abc&conversation=${conversation}`, {
    'POST /auth/verify-email': [{ body: { message: 'Done' } }],
  });
  await press('Confirm my address');
  expect((await screen.findByRole('link', { name: 'Back to your conversation' })).getAttribute('href')).toBe(`/messages/${conversation}`);
  expect(calls).toHaveLength(1);
});

test.each([
  ['link_not_valid', 400],
  ['email_taken', 409],
])('a confirmation link refused with %s is offered anew: to members at once, to others after signing in', async (code, status) => {
  const answers = { 'POST /auth/verify-email': [refusal(status, code, 'No.')], 'POST /auth/verify-email/resend': [{ body: {} }] };
  const visitor = show('/auth/verify?token=abc', answers);
  await visitor.press('Confirm my address');
  await screen.findByText(/already been used or has expired/);
  const signIn = screen.getByRole('link', { name: 'Sign in to get a new link' });
  expect(signIn.getAttribute('href')).toBe('/auth/login?redirect=/auth/verify');
  expect(screen.queryByRole('button', { name: 'Confirm my address' })).toBeNull();
  visitor.unmount();
  storeUser({ ...mere, emailConfirmed: false });
  const member = show('/auth/verify', answers);
  await screen.findByText(/already been used or has expired/);
  await member.press('Send the link again');
  await screen.findByText(/on its way/);
});
