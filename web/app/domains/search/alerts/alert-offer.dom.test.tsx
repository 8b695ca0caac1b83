import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { forgetUser, storeUser } from '../../../lib/session/stored-user.ts';
import { answerCalls, createLateAnswer, renderPart } from '../../../lib/testing/document.tsx';
import { Toaster } from '../../../ui/feedback/toast.tsx';
import { AlertOffer } from './alert-offer.tsx';

const alert = (frequency: string) => ({ body: { _id: 'alert', frequency } });
const search = 'q=plumber&where=Taup%C5%8D';
const signIn = (emailConfirmed = true) =>
  storeUser({ _id: 'mere', token: 'token-of-mere', emailConfirmed } as Parameters<typeof storeUser>[0]);
function show(wanted = search) {
  return renderPart(
    <>
      <AlertOffer search={wanted} />
      <Toaster />
    </>,
    { path: '/search?q=plumber' },
  );
}
const press = async (user: ReturnType<typeof show>['user']) =>
  user.dblClick(await screen.findByRole('button', { name: 'Email me new listings' }));

beforeEach(() => forgetUser());

test('an alert that could not be saved is not called saved, and is saved by the next press', async () => {
  signIn();
  const calls = answerCalls({ 'POST /alerts': [null, alert('daily')] });
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Email me new listings' }));
  await screen.findByText(/trouble connecting/);
  expect(screen.queryByText('We email you new ones')).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Email me new listings' }));
  await screen.findByText('We email you new ones');
  const body = { q: 'plumber', where: 'Taupō', frequency: 'daily' };
  expect(calls.map((one) => one.body)).toEqual([body, body]);
});

test('an alert is saved once however often it is pressed, and its frequency stays as it was if that could not be saved', async () => {
  signIn();
  const { answer, give } = createLateAnswer(alert('daily'));
  const calls = answerCalls({ 'POST /alerts': [answer, null, alert('weekly')] });
  const { user } = show();
  await press(user);
  give();
  const often = await screen.findByLabelText<HTMLSelectElement>('How often to email you new ones');
  expect(calls).toHaveLength(1);
  await user.selectOptions(often, 'weekly');
  await expect.poll(() => calls.length).toBe(2);
  expect(often.value).toBe('daily');
  await user.selectOptions(often, 'weekly');
  await expect.poll(() => often.value).toBe('weekly');
});

test('who has not confirmed their address is not promised emails before that', async () => {
  signIn(false);
  answerCalls({ 'POST /alerts': [alert('daily')] });
  const { user } = show();
  await press(user);
  await screen.findByText('Once your address is confirmed, we email you new ones');
  expect(screen.queryByText(/New businesses have no ratings/)).toBeNull();
});

test('an alert by ratings says that new businesses have none', async () => {
  signIn();
  answerCalls({ 'POST /alerts': [alert('daily')] });
  const { user } = show(`${search}&minRating=4`);
  await press(user);
  expect(await screen.findByText(/New businesses have no ratings/)).toBeTruthy();
});

test('a visitor signs in first, and comes back to the search with the alert to save', async () => {
  const calls = answerCalls({});
  show();
  const link = await screen.findByRole('link', { name: 'Email me new listings' });
  const target = new URL(link.getAttribute('href') ?? '', 'https://site.example');
  expect(target.pathname).toBe('/auth/login');
  expect(decodeURIComponent(target.search)).toContain('/search?q=plumber&alert=');
  expect(calls).toEqual([]);
});
