import type { InvitationImport } from '@handwise/contract/invitations/calls';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import AdminImportPage from './admin-import.tsx';

const dryRun = (invite: number): { body: InvitationImport } => ({
  body: {
    _id: 'i1',
    fileHash: 'f'.repeat(64),
    country: 'NZ',
    ignoredColumns: [],
    rows: 3,
    counts: { invite, invited: 0, member: 0, refused: 0, duplicate: 0, closed: 0, invalid: 0 },
    basis: null,
    createdAt: '2026-11-20T00:00:00Z',
    executedAt: null,
    finishedAt: null,
    applied: 0,
  },
});
const rows = { body: { rows: [], currentPage: 1, totalPages: 1, total: 0 } };
const writtenTo = (calls: ReturnType<typeof answerCalls>) => calls.filter(({ method }) => method === 'POST');

test('businesses are invited once, as the checked file, only with a basis that was confirmed, and a failure is said', async () => {
  const late = createLateAnswer({ body: {} });
  const calls = answerCalls({
    'GET /admin/imports/i1': [dryRun(2)],
    'GET /admin/imports/i1/rows': [rows],
    'POST /admin/imports/i1/execute': [null, late.answer],
  });
  const { user } = renderPart(<AdminImportPage />, { path: '/admin/import?import=i1' });
  const invite = await screen.findByRole('button', { name: 'Invite 2 businesses' });
  await user.click(invite);
  await screen.findByText('Say why they may be emailed');
  await user.click(screen.getByRole('radio', { name: 'They consented to hear from us' }));
  await user.click(invite);
  await screen.findByText(/^Confirm that the basis is right/);
  expect(writtenTo(calls)).toEqual([]);
  await user.click(screen.getByRole('checkbox', { name: /^This is true/ }));
  await user.click(invite);
  await screen.findByText(/connecting/);
  expect(screen.getByRole('radio', { name: 'They consented to hear from us' })).toHaveProperty('checked', true);
  await user.dblClick(invite);
  late.give();
  const body = { fileHash: 'f'.repeat(64), basis: 'consent', isConfirmed: true };
  await expect.poll(() => writtenTo(calls).map((one) => one.body)).toEqual([body, body]);
});

test('the button says how many it invites, and a file that invites nobody has none', async () => {
  answerCalls({ 'GET /admin/imports/i1': [dryRun(1), dryRun(0)], 'GET /admin/imports/i1/rows': [rows] });
  const { client } = renderPart(<AdminImportPage />, { path: '/admin/import?import=i1' });
  await screen.findByRole('button', { name: 'Invite 1 business' });
  await client.invalidateQueries();
  await expect.poll(() => screen.queryByRole('button', { name: /^Invite/ })).toBeNull();
});
