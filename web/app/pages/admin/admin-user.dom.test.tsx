import { screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { forgetUser, readUser, storeUser } from '../../lib/session/stored-user.ts';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import AdminUserPage from './admin-user.tsx';

const account = (suspendedAt: string | null, ...listings: { _id: string; serviceTitle: string }[]) => ({
  body: {
    user: {
      _id: 'u1',
      fullName: 'Mere Kingi',
      username: 'mere',
      email: 'mere@example.org',
      role: 'user',
      emailConfirmed: true,
      createdAt: '2026-11-20T00:00:00Z',
      suspendedAt,
      deletedAt: null,
      listings: listings.length,
    },
    listings: listings.map((one) => ({
      ...one,
      listingNumber: 1,
      businessTitle: 'Kingi',
      status: 'active',
      createdAt: '2026-11-20T00:00:00Z',
      endsAt: '2026-12-20T00:00:00Z',
      seller: { _id: 'u1', name: 'Mere Kingi', username: 'mere' },
    })),
    payments: [],
    sessions: [],
    looks: [],
  },
});
const noDecisions = { body: { decisions: [], currentPage: 1, totalPages: 1, total: 0 } };
const show = () => renderPart(<AdminUserPage {...({ params: { id: 'u1' } } as Parameters<typeof AdminUserPage>[0])} />);
const posted = (calls: ReturnType<typeof answerCalls>) => calls.filter(({ method }) => method === 'POST');

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

test('a restoring that fails keeps its reason, even if the account then fails to load, and can be sent again', async () => {
  const calls = answerCalls({
    'GET /admin/users/u1': [account('2026-11-20T00:00:00Z'), null, account(null)],
    'GET /admin/decisions': [noDecisions],
    'POST /admin/decisions': [null, { body: { message: 'Decided.' } }],
  });
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Restore the account' }));
  const dialog = screen.getByRole('dialog', { name: 'Restore the account of Mere Kingi' });
  await user.type(within(dialog).getByLabelText(/^Reason/), 'We saw the certificate.');
  await user.click(within(dialog).getByRole('button', { name: 'Restore the account' }));
  await screen.findByText('Connection Problem');
  expect(within(dialog).getByLabelText(/^Reason/)).toHaveProperty('value', 'We saw the certificate.');
  await user.click(within(dialog).getByRole('button', { name: 'Restore the account' }));
  await screen.findByText('Confirmed');
  const body = { decision: 'restore_account', kind: 'user', id: 'u1', reason: 'We saw the certificate.' };
  expect(posted(calls).map((one) => one.body)).toEqual([body, body]);
});

test('a decision about one of several listings is about that one, and keeps its reason if it fails and the past ones fail to load', async () => {
  const calls = answerCalls({
    'GET /admin/users/u1': [account(null, { _id: 'l1', serviceTitle: 'Drains' }, { _id: 'l2', serviceTitle: 'Gutters' })],
    'GET /admin/decisions': [noDecisions, noDecisions, null],
    'POST /admin/decisions': [null, { body: { message: 'Decided.' } }],
  });
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Decide about Gutters' }));
  const dialog = await screen.findByRole('dialog', { name: 'Decide about Gutters' });
  await user.click(await within(dialog).findByRole('radio', { name: 'Warn' }));
  await user.type(within(dialog).getByLabelText(/^Reason/), 'Mend it.');
  await user.click(within(dialog).getByRole('button', { name: 'Warn' }));
  await within(dialog).findByText('Connection Problem');
  expect(within(dialog).getByLabelText(/^Reason/)).toHaveProperty('value', 'Mend it.');
  await user.click(within(dialog).getByRole('button', { name: 'Warn' }));
  await expect.poll(() => screen.queryByRole('dialog', { name: 'Decide about Gutters' })).toBeNull();
  const body = { decision: 'warn', reason: 'Mend it.', kind: 'listing', id: 'l2' };
  expect(posted(calls).map((one) => one.body)).toEqual([body, body]);
});

test('tickets go to this account, once, in the number and for the reason that were typed', async () => {
  const late = createLateAnswer({ body: { message: 'Given.' } });
  const calls = answerCalls({
    'GET /admin/users/u1': [account(null)],
    'GET /admin/decisions': [noDecisions],
    'POST /admin/entries': [late.answer],
  });
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Give tickets' }));
  const dialog = screen.getByRole('dialog', { name: 'Give Mere Kingi tickets' });
  const tickets = within(dialog).getByLabelText('Tickets');
  await user.type(within(dialog).getByLabelText('Reason'), 'Our mistake.');
  for (const wrong of ['0', '1.5', 'ten']) {
    await user.clear(tickets);
    await user.type(tickets, wrong);
    await user.click(within(dialog).getByRole('button', { name: 'Give the tickets' }));
  }
  expect(posted(calls)).toEqual([]);
  await user.clear(tickets);
  await user.type(tickets, '12');
  await user.dblClick(within(dialog).getByRole('button', { name: 'Give the tickets' }));
  late.give();
  await expect.poll(() => screen.queryByRole('dialog', { name: 'Give Mere Kingi tickets' })).toBeNull();
  expect(posted(calls).map((one) => one.body)).toEqual([{ userId: 'u1', tickets: 12, reason: 'Our mistake.' }]);
});

test('staff view the site as the account only with a reason, which stays after a failure, and can come back', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
  vi.spyOn(location, 'reload').mockImplementation(() => {});
  storeUser({ _id: 'admin', token: 'token-of-admin' } as Parameters<typeof storeUser>[0]);
  const look = { data: { _id: 'u1', token: 'token-of-look' }, endsAt: '2090-11-20T00:15:00Z' };
  const calls = answerCalls({
    'GET /admin/users/u1': [account(null)],
    'GET /admin/decisions': [noDecisions],
    'POST /admin/users/u1/look': [null, { status: 201, body: look }],
  });
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'View the site as Mere Kingi' }));
  const dialog = within(screen.getByRole('dialog', { name: 'View the site as Mere Kingi' }));
  dialog.getByText(/^For 30 minutes you see what Mere Kingi sees/);
  await user.click(dialog.getByText('Start viewing'));
  await dialog.findAllByText('Say why: the user reads it');
  expect(posted(calls)).toEqual([]);
  await user.type(dialog.getByLabelText('Reason'), 'You cannot find your listing.');
  await user.click(dialog.getByText('Start viewing'));
  await dialog.findByText(/Nothing you typed is lost/);
  expect(dialog.getByLabelText('Reason')).toHaveProperty('value', 'You cannot find your listing.');
  expect(readUser()?._id).toBe('admin');
  expect(assign).not.toHaveBeenCalled();
  await user.click(dialog.getByText('Start viewing'));
  await expect.poll(() => assign.mock.calls).toEqual([['/home']]);
  const body = { reason: 'You cannot find your listing.' };
  expect(posted(calls).map((one) => one.body)).toEqual([body, body]);
  expect(readUser()).toMatchObject({ _id: 'u1', token: 'token-of-look', look: { endsAt: look.endsAt } });
  forgetUser();
  expect(readUser()).toMatchObject({ _id: 'admin', token: 'token-of-admin' });
});
