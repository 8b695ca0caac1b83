import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { forgetUser, storeUser } from '../../lib/session/stored-user.ts';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import { ReportButton } from './report-button.tsx';

beforeEach(() => {
  forgetUser();
  storeUser({ _id: 'mere', token: 'token-of-mere' } as Parameters<typeof storeUser>[0]);
});
const open = async (user: ReturnType<typeof renderPart>['user'], name: string) => {
  await user.click(await screen.findByRole('button', { name }));
  return within(await screen.findByRole('dialog'));
};

test('a report that failed keeps its words, and is sent by the next press, once', async () => {
  const late = createLateAnswer({ status: 201, body: { message: 'Thank you. We will look at it.', _id: 'report' } });
  const calls = answerCalls({ 'POST /reports': [null, late.answer] });
  const { user } = renderPart(<ReportButton kind="listing" id="l1" about="Drains" />);
  const dialog = await open(user, 'Report this listing Drains');
  const send = await dialog.findByText('Send the report');
  await user.selectOptions(dialog.getByLabelText('What is wrong?'), '');
  await user.click(send);
  await expect.poll(() => dialog.getByLabelText('What is wrong?').getAttribute('aria-invalid')).toBe('true');
  expect(calls).toEqual([]);
  await user.selectOptions(dialog.getByLabelText('What is wrong?'), 'not_genuine');
  const box = dialog.getByLabelText<HTMLTextAreaElement>(/^What should we know/);
  await user.type(box, 'Nobody lives there.');
  await user.click(send);
  await dialog.findByText(/Nothing you typed is lost/);
  expect(box.value).toBe('Nobody lives there.');
  await user.dblClick(dialog.getByText('Send the report'));
  late.give();
  await dialog.findByText('Thank you. We will look at it.');
  const body = { kind: 'listing', id: 'l1', reason: 'not_genuine', text: 'Nobody lives there.' };
  expect(calls.map((one) => one.body)).toEqual([body, body]);
  await user.click(dialog.getByText('OK'));
  await expect.poll(() => screen.queryByText('Thank you. We will look at it.')).toBeNull();
});

test('a person and a message can be anything but not genuine', async () => {
  answerCalls({});
  const { user } = renderPart(<ReportButton kind="user" id="u1" />);
  const dialog = await open(user, 'Report this person');
  const choices = within(await dialog.findByLabelText('What is wrong?')).getAllByRole('option');
  expect(choices.map((option) => (option as HTMLOptionElement).value)).toEqual([
    '',
    'misleading',
    'offensive',
    'private_details',
    'spam',
    'illegal',
    'other',
  ]);
});

test('a visitor signs in first and comes back', async () => {
  forgetUser();
  renderPart(<ReportButton kind="review" id="r1" />, { path: '/listing/l1?page=2' });
  const link = await screen.findByRole('link', { name: 'Report this review' });
  expect(link.getAttribute('href')).toBe('/auth/login?redirect=/listing/l1%3Fpage%3D2');
});
