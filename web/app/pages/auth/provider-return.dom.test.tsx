import { screen, waitFor } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { deviceKey, linkedReferralCodeKey, newTicketKey, ownReferralCodeKey, readStored } from '../../lib/browser-storage.ts';
import { forgetUser, readUser, storeUser, type StoredUser } from '../../lib/session/stored-user.ts';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
import { Toaster } from '../../ui/feedback/toast.tsx';
import ProviderReturnPage from './provider-return.tsx';

const mere = { _id: 'mere', token: 'token', email: 'mere@example.org', referralCode: 'REF-MER-1' } as StoredUser;
const device = 'd'.repeat(43);
const session = { data: mere, device, isNew: false, isReferred: false };
const refusal = (status: number, code: string, message: string) => ({ status, body: { code, message } });
const over = refusal(401, 'sign_in_over', 'This sign-in took too long.');

function show(address: string, answers: Parameters<typeof answerCalls>[0]) {
  history.replaceState(null, '', `/auth/return${address}`);
  const calls = answerCalls(answers);
  const Page = ProviderReturnPage as (props: Partial<ComponentProps<typeof ProviderReturnPage>>) => React.JSX.Element;
  const part = renderPart(
    <>
      <Toaster />
      <Routes>
        <Route path="/auth/return" element={<Page />} />
        <Route path="*" element={<p>Another page</p>} />
      </Routes>
    </>,
    { path: '/auth/return' },
  );
  const press = async (name: string) => part.user.click(await screen.findByRole('button', { name }));
  const at = () => part.router.state.location.pathname + part.router.state.location.search;
  return { ...part, press, at, sent: () => calls.map(({ path, body }) => ({ path, body })) };
}
const returned = '#provider=google&state=s&code=c&iss=https%3A%2F%2Faccounts.example&redirect=%2Faccount%2Freceipts';

beforeEach(() => {
  localStorage.clear();
  forgetUser();
});

test('what the provider sent is used once, leaves the address, and leads to the page that was wanted', async () => {
  localStorage.setItem(linkedReferralCodeKey, 'REF-FRIEND');
  const { at, sent } = show(returned, { 'POST /auth/with/finish': [{ body: session }] });
  await screen.findByText('Another page');
  expect(at()).toBe('/account/receipts');
  expect(location.hash).toBe('');
  expect(sent()).toEqual([
    { path: '/auth/with/finish', body: { provider: 'google', state: 's', code: 'c', iss: 'https://accounts.example' } },
  ]);
  expect(readUser()?.token).toBe('token');
  expect(readStored(deviceKey)).toBe(device);
  // Only who is new has used the code.
  expect(readStored(linkedReferralCodeKey)).toBe('REF-FRIEND');
  expect(readStored(newTicketKey)).toBeNull();
});

test.each([true, false])('a new account goes to its welcome with its code, and a ticket if it was referred: %s', async (isReferred) => {
  localStorage.setItem(linkedReferralCodeKey, 'REF-FRIEND');
  const { at } = show(returned, { 'POST /auth/with/finish': [{ body: { ...session, isNew: true, isReferred } }] });
  await screen.findByText('Another page');
  expect(at()).toBe('/auth/signup-success?redirect=/account/receipts');
  expect(readStored(ownReferralCodeKey)).toBe('REF-MER-1');
  expect(readStored(linkedReferralCodeKey)).toBeNull();
  expect(readStored(newTicketKey)).toBe(isReferred ? 'true' : null);
});

test('a name that was not taken can be sent again, and the second step starts again where it took too long', async () => {
  const nameNeeded = { nameNeeded: { token: 'name token', email: 'mere@example.org' } };
  const named = show(returned, {
    'POST /auth/with/finish': [{ body: nameNeeded }],
    'POST /auth/with/name': [null, { body: { ...session, isNew: true } }],
  });
  await named.user.type(await screen.findByLabelText('Full name'), 'Mere Kingi');
  screen.getByText('mere@example.org');
  await named.press('Create account');
  await screen.findByText(/Nothing you typed is lost/);
  expect(readUser()).toBeNull();
  await named.press('Create account');
  await screen.findByText('Another page');
  expect(named.sent().slice(1)).toEqual(
    Array.from({ length: 2 }, () => ({ path: '/auth/with/name', body: { token: 'name token', fullName: 'Mere Kingi' } })),
  );
  named.unmount();
  forgetUser();

  const step = { body: { secondStep: { token: 'step', methods: ['code'] } } };
  for (const [answer, path] of [
    [{ body: session }, '/account/receipts'],
    [over, '/auth/login?redirect=/account/receipts'],
  ] as const) {
    const part = show(returned, { 'POST /auth/with/finish': [step], 'POST /auth/login/second-step': [answer] });
    await part.user.type(await screen.findByLabelText('Code'), '123456');
    await part.press('Sign in');
    await waitFor(() => expect(part.at()).toBe(path));
    part.unmount();
    forgetUser();
  }
});

test.each([
  [true, /is not connected to your account yet/, 'Sign in', '/auth/login?redirect=/account/receipts'],
  [false, /has never been confirmed/, 'Choose a password', '/auth/forgot-password'],
])('an account with the address is not entered, and the way in is said; link sent: %s', async (isLinkSent, words, name, href) => {
  show(returned, { 'POST /auth/with/finish': [{ body: { accountExists: { email: 'mere@example.org', isLinkSent } } }] });
  await screen.findByText(words);
  expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(href);
  expect(readUser()).toBeNull();
});

test('who is signed in and comes back to an answer that is over goes on, and is told that nothing was changed', async () => {
  storeUser(mere);
  const { at } = show(returned, { 'POST /auth/with/finish': [over] });
  await waitFor(() => expect(at()).toBe('/account/receipts'));
  await screen.findByText('Google has already answered, or it took too long. Nothing was changed.');
});

test.each([
  ['a visitor', null, '/auth/login?redirect=/account/receipts', 'Back to signing in'],
  ['a member', mere, '/account/receipts', 'Go back'],
])('%s whose answer could not be used reads why and has a way back', async (_, user, href, name) => {
  if (user) storeUser(user);
  const unverified = refusal(403, 'provider_address_not_verified', 'Google has not verified this address.');
  const { at } = show(returned, { 'POST /auth/with/finish': [unverified] });
  expect((await screen.findByRole('alert')).textContent).toBe('Google has not verified this address.');
  expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(href);
  expect(screen.getByRole('link', { name: 'Create an account' }).getAttribute('href')).toBe('/auth/register?redirect=/account/receipts');
  expect(at()).toBe('/auth/return');
});

test('who did not continue at the provider is asked for nothing and can sign in', async () => {
  const { sent } = show('#provider=apple&error=cancelled&redirect=%2Faccount', {});
  await screen.findByRole('heading', { name: 'Not signed in' });
  screen.getByText('You did not continue with Apple. Nothing was changed.');
  expect(screen.getByRole('link', { name: 'Back to signing in' }).getAttribute('href')).toBe('/auth/login?redirect=/account');
  expect(sent()).toEqual([]);
});

test.each([
  ['connect', 'Google is connected'],
  ['confirm', 'Thank you. You can go on now.'],
])('what was begun at %s is finished and said', async (finished, words) => {
  storeUser(mere);
  const { at } = show(returned, { 'POST /auth/with/finish': [{ body: { finished } }] });
  await screen.findByText(words);
  await waitFor(() => expect(at()).toBe('/account/receipts'));
});

test('a provider is connected by an emailed link on a press only, again after a failure', async () => {
  const { press, sent } = show('?token=mailed', { 'POST /auth/with/connect': [null, { body: { provider: 'apple' } }] });
  await screen.findByRole('button', { name: 'Connect it' });
  expect(sent()).toEqual([]);
  await press('Connect it');
  await screen.findByText(/trouble connecting to the server/);
  await press('Connect it');
  await screen.findByRole('heading', { name: 'Apple is connected' });
  expect(screen.queryByText(/trouble connecting/)).toBeNull();
  expect(sent()).toEqual(Array.from({ length: 2 }, () => ({ path: '/auth/with/connect', body: { token: 'mailed' } })));
});
