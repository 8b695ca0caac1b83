import type { OwnDecision } from '@handwise/contract/admin/report-calls';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import DecisionsPage from './decisions.tsx';
import LinkedDecisionPage from './linked-decision.tsx';

const decision = (changes: Partial<OwnDecision> = {}): OwnDecision => ({
  _id: 'd1',
  decision: 'hide_listing',
  about: { kind: 'listing', title: 'Drains' },
  reason: 'It names a licence that you do not hold.',
  createdAt: '2026-11-20T01:00:00.000Z',
  undone: null,
  appeal: null,
  mayAppeal: true,
  ...changes,
});
const list = (...decisions: OwnDecision[]) => ({ body: { decisions } });
const fine = { body: { message: 'Sent' } };
const box = () => screen.findByLabelText<HTMLTextAreaElement>('Why do you object?');

test('decisions that could not be loaded are not none, and can be loaded again', async () => {
  answerCalls({ 'GET /decisions': [null, list()] });
  const { user } = renderPart(<DecisionsPage />);
  await screen.findByText('Connection Problem');
  expect(screen.queryByText('Nothing has been decided about you')).toBeNull();
  await user.click(screen.getByText('Try Again'));
  await screen.findByText('Nothing has been decided about you');
});

test('an objection that failed keeps its words; one that was sent is thanked for, also if the decision could not be loaded again', async () => {
  const late = createLateAnswer(fine);
  const calls = answerCalls({
    'GET /decisions': [list(decision()), null, list(decision())],
    'POST /decisions/d1/appeal': [null, late.answer],
  });
  const { user } = renderPart(<DecisionsPage />);
  await user.click(await screen.findByText('I think this is wrong'));
  await user.click(await screen.findByText('Send my objection'));
  await screen.findAllByText('Say why you object');
  await user.type(await box(), 'I do hold it.');
  await user.click(screen.getByText('Send my objection'));
  await screen.findByText(/Nothing you typed is lost/);
  expect((await box()).value).toBe('I do hold it.');
  await user.dblClick(screen.getByText('Send my objection'));
  late.give();
  await screen.findByText('Thank you. We will look at it and write to you.');
  await screen.findByText(/could not be loaded again/);
  screen.getByText('It names a licence that you do not hold.');
  expect(screen.queryByText('Send my objection')).toBeNull();
  const body = { text: 'I do hold it.' };
  expect(calls.filter(({ method }) => method === 'POST').map((one) => one.body)).toEqual([body, body]);
});

test('the decision of an emailed link stays when it could not be loaded again, and one that is not there says so', async () => {
  const missing = { status: 404, body: { code: 'decision_not_found', message: 'No such decision' } };
  const calls = answerCalls({
    'POST /decisions/linked': [null, { body: decision() }, null, missing],
    'POST /decisions/linked/appeal': [fine],
  });
  const { user, unmount } = renderPart(<LinkedDecisionPage />, { path: '/decision?token=abc' });
  await screen.findByText('Connection Problem');
  await user.click(screen.getByText('Try Again'));
  await user.click(await screen.findByText('I think this is wrong'));
  await user.type(await box(), 'I do hold it.');
  await user.click(screen.getByText('Send my objection'));
  await screen.findByText('Thank you. We will look at it and write to you.');
  await screen.findByText(/could not be loaded again/);
  expect(calls.find(({ path }) => path.endsWith('/appeal'))?.body).toEqual({ token: 'abc', text: 'I do hold it.' });
  unmount();
  renderPart(<LinkedDecisionPage />, { path: '/decision?token=other' });
  await screen.findByText('This link doesn’t work');
});

test('what was decided about an objection is shown, and that a decision was reversed', async () => {
  const upheld = { text: 'I do hold it.', createdAt: '2026-11-21T01:00:00.000Z', upheld: true, answer: 'You are right.' };
  answerCalls({
    'GET /decisions': [
      list(
        decision({
          mayAppeal: false,
          appeal: upheld,
          undone: { reason: 'We were wrong.', createdAt: '2026-11-22T01:00:00.000Z' },
        }),
        decision({ _id: 'd2', mayAppeal: false, appeal: { ...upheld, upheld: null, answer: null } }),
      ),
    ],
  });
  renderPart(<DecisionsPage />);
  await screen.findByText('You were right');
  screen.getByText('Reversed');
  screen.getByText(/We were wrong\.$/);
  screen.getByText('We are looking at it. We will email you when it is answered.');
  expect(screen.queryByText('I think this is wrong')).toBeNull();
});
