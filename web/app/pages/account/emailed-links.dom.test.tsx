import { screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { expect, test } from 'vitest';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import EndAlertPage from './end-alert.tsx';
import EndInvitationsPage from './end-invitations.tsx';
import EndMailsPage from './end-mails.tsx';

const show = (Page: object, path: string) => {
  const Part = Page as ComponentType;
  return renderPart(<Part />, { path });
};
const paths = (calls: ReturnType<typeof answerCalls>) => calls.map(({ method, path }) => `${method} ${path}`);
const broken = { status: 400, body: { code: 'invalid_input', message: 'This link is not complete' } };
const mails = (on: boolean) => ({ body: { on, text: 'reminders to review' } });
const alerts = (isPaused: boolean, ...names: string[]) => ({ body: { isPaused, names } });

test('emails stop only on a press, once; a failure is never taken for it, and they can come again', async () => {
  const late = createLateAnswer(mails(false));
  const again = createLateAnswer(mails(true));
  const calls = answerCalls({ 'POST /mails/end': [null, late.answer], 'POST /mails/resume': [again.answer] });
  const { user } = show(EndMailsPage, '/mails/end?token=a%2Bb');
  const stop = await screen.findByText('Stop these emails');
  expect(calls).toEqual([]);
  await user.click(stop);
  await screen.findByText('That did not work just now. The link still works: please try again.');
  screen.getByText('Stop these emails?');
  await user.dblClick(screen.getByText('Stop these emails'));
  expect(screen.queryByText(/That did not work/)).toBeNull();
  late.give();
  await screen.findByText('These emails have stopped');
  screen.getByText('We’ll no longer email you these: reminders to review.');
  expect(screen.queryByText('Stop these emails')).toBeNull();
  await user.dblClick(screen.getByText('Send them again'));
  screen.getByText('These emails have stopped');
  again.give();
  await screen.findByText('You will get these emails again');
  screen.getByText('We’ll email you these again: reminders to review.');
  expect(paths(calls)).toEqual(['POST /mails/end?token=a%2Bb', 'POST /mails/end?token=a%2Bb', 'POST /mails/resume?token=a%2Bb']);
});

test('one alert and several are named, paused on a press and resumed on another', async () => {
  const calls = answerCalls({
    'POST /alerts/end': [alerts(true, 'Plumbing in Taupō')],
    'POST /alerts/resume': [alerts(false, 'Plumbing in Taupō')],
  });
  const { user, unmount } = show(EndAlertPage, '/alerts/end?token=id.alert.proof');
  await screen.findByText('Pause this alert?');
  screen.getByText('One press, and it sends nothing more until you resume it.');
  await user.click(screen.getByText('Pause this alert'));
  await screen.findByText('This alert is paused');
  screen.getByText('We’ll no longer email you about what’s new for: Plumbing in Taupō');
  await user.click(screen.getByText('Resume it'));
  await screen.findByText('This alert is on again');
  screen.getByText('We’ll email you again about what’s new for: Plumbing in Taupō');
  expect(paths(calls)).toEqual(['POST /alerts/end?token=id.alert.proof', 'POST /alerts/resume?token=id.alert.proof']);
  unmount();

  answerCalls({ 'POST /alerts/end': [null, alerts(true, 'Plumbing', 'Roofing')], 'POST /alerts/resume': [null] });
  const several = show(EndAlertPage, '/alerts/end?token=id.id.alert.proof');
  await several.user.click(await screen.findByText('Pause these alerts'));
  await screen.findByText(/That did not work just now/);
  await several.user.click(screen.getByText('Pause these alerts'));
  await screen.findByText('These alerts are paused');
  screen.getByText('We’ll no longer email you about what’s new for: Plumbing · Roofing');
  expect(screen.getByText('See your alerts').getAttribute('href')).toBe('/account/alerts');
  await several.user.click(screen.getByText('Resume them'));
  await screen.findByText(/That did not work just now/);
  screen.getByText('These alerts are paused');
  screen.getByText('Resume them');
});

test('a business is never invited again only on a press, and that it is done is not said before', async () => {
  const calls = answerCalls({ 'POST /invitations/refuse': [null, { body: { message: 'Done' } }] });
  const { user } = show(EndInvitationsPage, '/invitation/end?token=abc');
  await user.click(await screen.findByText('Never invite me again'));
  await screen.findByText(/That did not work just now/);
  screen.getByText('Never be invited again?');
  await user.click(screen.getByText('Never invite me again'));
  await screen.findByText('We will never invite you again');
  screen.getByText(/We have deleted what we prepared/);
  expect(screen.queryByText('Never invite me again')).toBeNull();
  expect(paths(calls)).toEqual(['POST /invitations/refuse?token=abc', 'POST /invitations/refuse?token=abc']);
});

test.each([
  ['emails', EndMailsPage, 'POST /mails/end', 'Stop these emails', /This link is not complete/],
  ['alerts', EndAlertPage, 'POST /alerts/end', 'Pause this alert', /This link no longer works/],
  ['invitations', EndInvitationsPage, 'POST /invitations/refuse', 'Never invite me again', /This link is not complete/],
] as const)(
  'a link about %s that is cut short, or has no token, says so and has nothing to press',
  async (_, Page, address, button, said) => {
    const calls = answerCalls({ [address]: [broken] });
    const { user, unmount } = show(Page, '/end?token=a.b.c');
    await user.click(await screen.findByText(button));
    await screen.findByText(said);
    expect(screen.queryByText(button)).toBeNull();
    unmount();
    show(Page, '/end');
    await screen.findByText(said);
    expect(screen.queryByRole('button')).toBeNull();
    expect(calls).toHaveLength(1);
  },
);
