import { act, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useConfirmedAddress } from '../../lib/session/refresh-user.ts';
import { forgetUser, readUser, storeUser } from '../../lib/session/stored-user.ts';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
import { UnconfirmedBar } from './unconfirmed-bar.tsx';

type User = Parameters<typeof storeUser>[0];
const mere = { _id: 'mere', token: 'token-of-mere', email: 'mere@example.org', emailConfirmed: false } as User;
const signIn = (user: User) => act(() => storeUser(user));
const bar = () => screen.queryByRole('complementary', { name: 'Your email address' });

afterEach(() => {
  vi.useRealTimers();
  act(() => forgetUser());
});

test('only a member with an unconfirmed address is asked to confirm it, and not on the page that says so itself', () => {
  answerCalls({ 'GET /events': [null] });
  const { unmount } = renderPart(<UnconfirmedBar />);
  expect(bar()).toBeNull();
  signIn(mere);
  expect(bar()?.textContent).toContain('We sent a link to mere@example.org.');
  signIn({ ...mere, emailConfirmed: true });
  expect(bar()).toBeNull();
  // Stored before it was known.
  const { emailConfirmed: _, ...unknown } = mere;
  signIn(unknown as User);
  expect(bar()).toBeNull();
  unmount();
  signIn(mere);
  renderPart(<UnconfirmedBar />, { path: '/account/security' });
  expect(bar()).toBeNull();
});

const Urgent = ({ isUrgent }: { isUrgent: boolean }) => {
  useConfirmedAddress(isUrgent);
  return null;
};
const asked = (calls: ReturnType<typeof answerCalls>) => calls.filter(({ path }) => path === '/auth/session').length;

test('where it is urgent the server is asked every ten seconds, also after a failure, until the address is confirmed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  signIn(mere);
  const calls = answerCalls({
    'GET /events': [null],
    'GET /auth/session': [null, { body: { data: mere } }, { body: { data: { ...mere, emailConfirmed: true } } }],
  });
  const { unmount } = renderPart(<Urgent isUrgent />);
  vi.advanceTimersByTime(9999);
  expect(asked(calls)).toBe(0);
  vi.advanceTimersByTime(1);
  expect(asked(calls)).toBe(1);
  for (const count of [2, 3]) {
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked(calls)).toBe(count);
  }
  await expect.poll(() => readUser()?.emailConfirmed).toBe(true);
  expect(readUser()?.token).toBe('token-of-mere');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked(calls)).toBe(3);
  unmount();
  signIn(mere);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked(calls)).toBe(3);
});

test('elsewhere it is asked only when news may have been missed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  signIn(mere);
  const calls = answerCalls({ 'GET /events': [null], 'GET /auth/session': [{ body: { data: mere } }] });
  renderPart(<Urgent isUrgent={false} />);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked(calls)).toBe(0);
});
