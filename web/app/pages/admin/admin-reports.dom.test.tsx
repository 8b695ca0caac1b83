import type { ReportCase } from '@handwise/contract/admin/reports';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import AdminReportsPage from './admin-reports.tsx';

const person = { _id: 'p1', name: 'Mere Kingi', username: 'mere', suspended: false };
const caseOf = (id: string, title: string): ReportCase => ({
  _id: id,
  about: { kind: 'listing', id: `about-${id}`, title, listingId: `about-${id}` },
  words: '',
  pictures: [],
  pdf: null,
  concerned: person,
  reports: [],
  createdAt: '2026-11-20T00:00:00Z',
  earlier: 0,
  decision: null,
  mayDecide: true,
});
const cases = (...list: ReportCase[]) => ({ body: { reports: list, currentPage: 1, totalPages: 1, total: list.length } });
const [one, two, three] = [caseOf('r1', 'Drains'), caseOf('r2', 'Gutters'), caseOf('r3', 'Roofs')];
const done = { body: { message: 'Decided. The person concerned has been told.' } };

const decide = async (user: ReturnType<typeof renderPart>['user'], reason: string) => {
  await user.click(await screen.findByRole('radio', { name: 'Warn' }));
  await user.type(screen.getByLabelText(/^Reason/), reason);
};

test('a decision is sent once for the case shown, however often its button is pressed, and the next case follows', async () => {
  const late = createLateAnswer(done);
  const calls = answerCalls({
    'GET /admin/reports': [cases(one, two, three), cases(one, three)],
    'POST /admin/reports/r2/decide': [late.answer],
  });
  const { user } = renderPart(<AdminReportsPage />, { path: '/admin/reports?case=r2' });
  await decide(user, 'Mend the title.');
  await user.dblClick(screen.getByRole('button', { name: 'Warn' }));
  late.give();
  await screen.findByRole('heading', { name: 'Roofs' });
  expect(calls.filter(({ method }) => method === 'POST')).toEqual([
    { method: 'POST', path: '/admin/reports/r2/decide', body: { decision: 'warn', reason: 'Mend the title.' } },
  ]);
});

test('a decision that fails is shown as failed and keeps its reason, even if the queue then fails to load, and can be sent again', async () => {
  const calls = answerCalls({
    'GET /admin/reports': [cases(one), null, cases()],
    'POST /admin/reports/r1/decide': [null, done],
  });
  const { user } = renderPart(<AdminReportsPage />, { path: '/admin/reports' });
  await decide(user, 'Mend the title.');
  await user.click(screen.getByRole('button', { name: 'Warn' }));
  await screen.findByText('Connection Problem');
  const form = screen.getByLabelText(/^Reason/).closest('form') as HTMLElement;
  within(form).getByRole('alert');
  expect(screen.getByLabelText(/^Reason/)).toHaveProperty('value', 'Mend the title.');
  expect(screen.getByRole('radio', { name: 'Warn' })).toHaveProperty('checked', true);
  await user.click(screen.getByRole('button', { name: 'Warn' }));
  await screen.findByText('Every report has been answered.');
  const sent = calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
  expect(sent).toEqual([
    { decision: 'warn', reason: 'Mend the title.' },
    { decision: 'warn', reason: 'Mend the title.' },
  ]);
});

test('another filter begins at its first page, without the case that was open', async () => {
  answerCalls({ 'GET /admin/reports': [cases(one)] });
  renderPart(<AdminReportsPage />, { path: '/admin/reports?page=3&case=r1&kind=listing' });
  const link = await screen.findByRole('link', { name: 'Decided' });
  expect(link.getAttribute('href')).toBe('/admin/reports?kind=listing&status=decided');
});
