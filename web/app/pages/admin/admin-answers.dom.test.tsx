import type { AdminAppeal } from '@handwise/contract/admin/reports';
import type { AdminReferral } from '@handwise/contract/referrals/admin';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
import AdminAppealsPage from './admin-appeals.tsx';
import AdminReferralsPage from './admin-referrals.tsx';

const at = '2026-11-20T00:00:00Z';
const person = { _id: 'mere', name: 'Mere Kingi', username: 'mere' };
const appeal = (_id: string, title: string): AdminAppeal => ({
  _id,
  words: 'It is my name.',
  createdAt: at,
  decision: {
    _id: `decision-${_id}`,
    decision: 'suspend_account',
    about: { kind: 'user', id: 'mere', title, listingId: null },
    concerned: person,
    by: person,
    reason: 'Not your name.',
    createdAt: at,
    undone: false,
  },
  upheld: null,
  answer: null,
  mayDecide: true,
});
const member = (fullName: string) => ({
  _id: fullName,
  fullName,
  username: fullName,
  email: 'm@example.org',
  createdAt: at,
  emailConfirmed: true,
});
const referral = (_id: string, status: AdminReferral['status']) =>
  ({
    _id,
    code: 'CODE',
    status,
    createdAt: at,
    heldBecause: null,
    heldUntil: null,
    heldOutcome: null,
    referrer: member('Ana'),
    referred: member(`Friend ${_id}`),
    listing: null,
    speaksFor: [],
    speaksAgainst: [],
    decision: null,
    mayDecide: true,
  }) satisfies AdminReferral as AdminReferral;
const pages = { currentPage: 1, totalPages: 1, total: 2 };
const done = { body: { message: 'Done.' } };

async function answer(user: ReturnType<typeof renderPart>['user'], choice: string | null, button: string) {
  if (choice) await user.click(await screen.findByRole('radio', { name: choice }));
  await user.type(await screen.findByLabelText('Reason'), 'As we saw.');
  await user.click(screen.getByRole('button', { name: button }));
}

test.each([
  [null, false],
  ['The objection is right: reverse the decision', true],
])('the answer "%s" to an objection upholds it: %s', async (choice, uphold) => {
  const appeals = { body: { appeals: [appeal('a1', '@mere'), appeal('a2', '@tane')], ...pages } };
  const calls = answerCalls({ 'GET /admin/appeals': [appeals], 'POST /admin/appeals/a2/decide': [done] });
  const { user } = renderPart(<AdminAppealsPage />, { path: '/admin/appeals?case=a2' });
  await answer(user, choice, 'Answer');
  await expect
    .poll(() => calls.filter(({ method }) => method === 'POST'))
    .toEqual([{ method: 'POST', path: '/admin/appeals/a2/decide', body: { uphold, reason: 'As we saw.' } }]);
});

test.each([
  ['held', null, 'Approve', true],
  ['held', 'Refuse: it does not count', 'Refuse', false],
  // One that has counted is only ever taken back.
  ['converted', null, 'Refuse', false],
] as const)('a %s referral with the answer %s and the button "%s" counts: %s', async (status, choice, button, approve) => {
  const referrals = [referral('r1', status), referral('r2', status)];
  const calls = answerCalls({
    'GET /admin/referrals': [{ body: { referrals, counts: {}, ...pages } }],
    'POST /admin/referrals/r2/decide': [done],
  });
  const { user } = renderPart(<AdminReferralsPage />, { path: `/admin/referrals?status=${status === 'held' ? '' : status}&case=r2` });
  await screen.findByRole('heading', { name: 'Friend r2 signed up with the code of Ana' });
  await answer(user, choice, button);
  await expect
    .poll(() => calls.filter(({ method }) => method === 'POST'))
    .toEqual([{ method: 'POST', path: '/admin/referrals/r2/decide', body: { approve, reason: 'As we saw.' } }]);
});
