import { screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import {
  deviceKey,
  linkedReferralCodeKey,
  listingDraftKey,
  newTicketKey,
  ownReferralCodeKey,
  readStored,
} from '../../lib/browser-storage.ts';
import { forgetUser, readUser, type StoredUser } from '../../lib/session/stored-user.ts';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import VisitorsLayout from '../layouts/visitors.tsx';
import RegisterPage from './register.tsx';

const mere = { _id: 'mere', token: 'token', email: 'mere@example.org', referralCode: 'REF-MER-1' } as StoredUser;
const device = 'd'.repeat(43);
const registered = { status: 201, body: { data: mere, device } };
const taken = (field: string, message: string) => ({ status: 409, body: { code: `${field}_taken`, message, errors: [] } });
const valid = { body: { valid: true } };
const invalid = { body: { valid: false } };

function show(path: string, answers: Parameters<typeof answerCalls>[0], state?: object) {
  const calls = answerCalls(answers);
  const part = renderPart(
    <Routes>
      <Route element={<VisitorsLayout />}>
        <Route path="/auth/register" element={<RegisterPage />} />
      </Route>
      <Route path="*" element={<p>Another page</p>} />
    </Routes>,
    { path, root: { signInWith: ['google'] } },
  );
  if (state) void part.router.navigate(path, { replace: true, state });
  const press = async (name: string) => part.user.click(await screen.findByRole('button', { name }));
  const type = async (label: string, text: string) => {
    const field = await screen.findByLabelText<HTMLInputElement>(label);
    await part.user.clear(field);
    if (text) await part.user.type(field, text);
  };
  const typeAll = async () => {
    await type('Full name', 'Mere Kingi');
    await type('Email', 'mere@example.org');
    await type('Password', 'secret words');
  };
  const at = () => part.router.state.location.pathname + part.router.state.location.search;
  const sent = () => calls.filter((one) => one.path === '/auth/register').map(({ body }) => body);
  return { ...part, press, type, typeAll, at, calls, sent };
}
const valueOf = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
const referral = 'Referral code (optional)';

beforeEach(() => {
  localStorage.clear();
  forgetUser();
});

test('an account that was not created is asked for again with all that was typed, once for two presses', async () => {
  const { answer, give } = createLateAnswer(registered);
  const { press, typeAll, sent, at } = show('/auth/register?redirect=/account/receipts', { 'POST /auth/register': [null, answer] });
  await typeAll();
  await press('Create account');
  await screen.findByText(/Nothing you typed is lost/);
  const username = valueOf('Username');
  expect(username).toMatch(/^mere_k\d{4}$/);
  expect(readUser()).toBeNull();
  await press('Create account');
  await press('Creating your account...');
  give();
  await screen.findByText('Another page');
  expect(at()).toBe('/auth/signup-success?redirect=/account/receipts');
  const account = { fullName: 'Mere Kingi', username, email: 'mere@example.org', password: 'secret words' };
  expect(sent()).toEqual(Array.from({ length: 2 }, () => ({ ...account, referralCode: null, hasValidReferral: false })));
  expect(readUser()?.token).toBe('token');
  expect([deviceKey, ownReferralCodeKey, newTicketKey].map(readStored)).toEqual([device, 'REF-MER-1', null]);
});

test('a taken name and a taken address are said at their field, and the others stay', async () => {
  const { press, type, typeAll, sent } = show('/auth/register', {
    'POST /auth/register': [taken('username', 'This username is taken'), taken('email', 'There is an account with this email'), registered],
  });
  await typeAll();
  await type('Username', 'mere');
  await press('Create account');
  const username = await screen.findByLabelText('Username');
  await waitFor(() => expect(username.getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBeNull();
  await type('Username', 'mere_k');
  await press('Create account');
  await waitFor(() => expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getByLabelText('Username').getAttribute('aria-invalid')).toBeNull();
  expect([valueOf('Full name'), valueOf('Password')]).toEqual(['Mere Kingi', 'secret words']);
  await type('Email', 'kingi@example.org');
  await press('Create account');
  await screen.findByText('Another page');
  expect(sent().at(-1)).toMatchObject({ fullName: 'Mere Kingi', username: 'mere_k', email: 'kingi@example.org', password: 'secret words' });
});

test('a username follows the name until its field is visited, and one that was typed stays', async () => {
  const { user, type } = show('/auth/register', {});
  await type('Full name', 'Mere');
  await waitFor(() => expect(valueOf('Username')).toMatch(/^mere_\d{4}$/));
  await type('Full name', 'Mere Kingi');
  await waitFor(() => expect(valueOf('Username')).toMatch(/^mere_k\d{4}$/));
  await user.click(screen.getByLabelText('Username'));
  const suggested = valueOf('Username');
  await type('Full name', 'Hana Walker');
  expect(valueOf('Username')).toBe(suggested);
  await type('Username', 'hana');
  await type('Full name', 'Hana Ngata');
  expect(valueOf('Username')).toBe('hana');
});

test('the code of a followed link counts for the new account, and is used up by it', async () => {
  const { typeAll, press, sent } = show('/auth/register?ref=REF-FRI-1', {
    'GET /referral/check/REF-FRI-1': [valid],
    'POST /auth/register': [registered],
  });
  await screen.findByText("Valid code! You'll receive 1 draw ticket.");
  expect(valueOf(referral)).toBe('REF-FRI-1');
  expect(readStored(linkedReferralCodeKey)).toBe('REF-FRI-1');
  expect(screen.getByRole('link', { name: 'Continue with Google' }).getAttribute('href')).toContain('referralCode=REF-FRI-1');
  await typeAll();
  await press('Create account');
  await screen.findByText('Another page');
  expect(sent()).toMatchObject([{ referralCode: 'REF-FRI-1', hasValidReferral: true }]);
  expect(readStored(newTicketKey)).toBe('true');
  expect(readStored(linkedReferralCodeKey)).toBeNull();
});

test('an invalid code is not sent until it is corrected or taken out', async () => {
  localStorage.setItem(linkedReferralCodeKey, 'REF-OLD-1');
  const { typeAll, type, press, sent } = show('/auth/register', {
    'GET /referral/check/REF-OLD-1': [invalid],
    'POST /auth/register': [registered],
  });
  await typeAll();
  await screen.findByText('Invalid referral code.');
  // The link that brought it is forgotten.
  await waitFor(() => expect(readStored(linkedReferralCodeKey)).toBeNull());
  expect(screen.getByRole('link', { name: 'Continue with Google' }).getAttribute('href')).not.toContain('referralCode');
  await press('Create account');
  expect((await screen.findAllByText('Invalid referral code. Correct it, or leave the field empty.')).length).toBeGreaterThan(0);
  expect(sent()).toEqual([]);
  await type(referral, '');
  await press('Create account');
  await screen.findByText('Another page');
  expect(sent()).toMatchObject([{ referralCode: null, hasValidReferral: false }]);
  expect(readStored(newTicketKey)).toBeNull();
});

test('a code that could not be checked is sent for the server to decide, and counts for no ticket here', async () => {
  const { typeAll, type, press, sent, calls } = show('/auth/register', {
    'GET /referral/check/REF-FRI-1': [null],
    'POST /auth/register': [registered],
  });
  await typeAll();
  await type(referral, 'ref fri 1');
  await screen.findByText('Error validating code. Please try again.');
  await press('Create account');
  await screen.findByText('Another page');
  expect(sent()).toMatchObject([{ referralCode: 'ref fri 1', hasValidReferral: false }]);
  expect(calls.filter(({ method }) => method === 'GET').length).toBeGreaterThan(1);
  expect(readStored(newTicketKey)).toBeNull();
});

test('an invited address is filled in and can be changed', async () => {
  const { type } = show('/auth/register', {}, { email: 'invited@example.org' });
  await waitFor(() => expect(valueOf('Email')).toBe('invited@example.org'));
  await type('Email', 'mere@example.org');
  await type('Full name', 'Mere Kingi');
  expect(valueOf('Email')).toBe('mere@example.org');
});

test('whoever has begun a listing goes straight back to it; without a draft, to the welcome', async () => {
  localStorage.setItem(listingDraftKey, '{}');
  const first = show('/auth/register?redirect=/addList', { 'POST /auth/register': [registered] });
  await screen.findByText(/Your listing is saved\. After signing up/);
  await first.typeAll();
  await first.press('Create account');
  await waitFor(() => expect(first.at()).toBe('/addList'));
  first.unmount();
  localStorage.clear();
  forgetUser();
  const second = show('/auth/register?redirect=/addList', { 'POST /auth/register': [registered] });
  await second.typeAll();
  await second.press('Create account');
  await waitFor(() => expect(second.at()).toBe('/auth/signup-success?redirect=/addList'));
});
