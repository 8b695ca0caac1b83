import type { Alert } from '@handwise/contract/alerts/calls';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
import { Toaster } from '../../ui/feedback/toast.tsx';
import AlertsPage from './alerts.tsx';

const alert = (id: string, name: string, createdAt: string): Alert => ({
  _id: id,
  name,
  query: 'q=plumber',
  frequency: 'daily',
  isPaused: false,
  createdAt,
  lastMail: null,
});
const plumber = alert('plumber', 'Plumber in Taupō', '2026-11-02T00:00:00.000Z');
const roofer = alert('roofer', 'Roofer in Napier', '2026-11-01T00:00:00.000Z');
const list = { body: { alerts: [plumber, roofer] } };
const fine = { body: { message: 'Done' } };

function show() {
  return renderPart(
    <>
      <AlertsPage />
      <Toaster />
    </>,
  );
}
const names = () => screen.queryAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);

test('alerts that could not be loaded are not none, and can be loaded again', async () => {
  answerCalls({ 'GET /alerts': [null, list] });
  const { user } = show();
  await screen.findByText('Connection Problem');
  expect(screen.queryByText('No alerts yet')).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Try Again' }));
  await expect.poll(names).toEqual(['Plumber in Taupō', 'Roofer in Napier']);
});

test('a deleted alert says so where it was and can be restored; one that could not be deleted stays', async () => {
  const busy = { status: 500, body: { code: 'internal', message: 'An unexpected error occurred' } };
  const calls = answerCalls({
    'GET /alerts': [list],
    'DELETE /alerts/plumber': [busy, fine],
    'POST /alerts/plumber/restore': [{ body: plumber }],
  });
  const { user } = show();
  const remove = async () => user.click(await screen.findByRole('button', { name: 'Delete Plumber in Taupō' }));
  await remove();
  await screen.findByText('An unexpected error occurred');
  expect(names()).toEqual(['Plumber in Taupō', 'Roofer in Napier']);
  await remove();
  await screen.findByText(/has been deleted/);
  expect(document.activeElement?.textContent).toBe('Alerts');
  expect(names()).toEqual(['Roofer in Napier']);
  await user.click(screen.getByRole('button', { name: 'Undo the deletion of Plumber in Taupō' }));
  await expect.poll(names).toEqual(['Plumber in Taupō', 'Roofer in Napier']);
  expect(calls.at(-1)?.path).toBe('/alerts/plumber/restore');
});

test('pausing and the frequency change the alert that was pressed, and stay as they were if it fails', async () => {
  const calls = answerCalls({
    'GET /alerts': [list],
    'PUT /alerts/roofer': [null, { body: { ...roofer, isPaused: true } }],
    'PUT /alerts/plumber': [null, { body: { ...plumber, frequency: 'weekly' } }],
  });
  const { user } = show();
  const often = () => screen.findByLabelText<HTMLSelectElement>('How often to email you about Plumber in Taupō');
  const pause = async () => user.click(await screen.findByRole('button', { name: 'Pause Roofer in Napier' }));
  await pause();
  await screen.findByText(/trouble connecting/);
  await pause();
  await screen.findByRole('button', { name: 'Resume with Roofer in Napier' });
  await user.selectOptions(await often(), 'weekly');
  await expect.poll(() => calls.length).toBe(4);
  expect((await often()).value).toBe('daily');
  await user.selectOptions(await often(), 'weekly');
  await expect.poll(async () => (await often()).value).toBe('weekly');
  expect(calls.slice(1).map(({ path, body }) => [path, body])).toEqual([
    ['/alerts/roofer', { isPaused: true }],
    ['/alerts/roofer', { isPaused: true }],
    ['/alerts/plumber', { frequency: 'weekly' }],
    ['/alerts/plumber', { frequency: 'weekly' }],
  ]);
});

test('a new name that could not be saved stays typed, and an alert is renamed by the next press', async () => {
  const calls = answerCalls({ 'GET /alerts': [list], 'PUT /alerts/roofer': [null, { body: { ...roofer, name: 'Roof of the bach' } }] });
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Rename Roofer in Napier' }));
  const asking = within(await screen.findByRole('dialog'));
  const box = asking.getByLabelText<HTMLInputElement>('Name');
  expect(box.value).toBe('Roofer in Napier');
  await user.clear(box);
  await user.type(box, 'Roof of the bach');
  const press = () => user.click(asking.getByRole('button', { name: 'Save' }));
  await press();
  await asking.findByText(/Nothing you typed is lost/);
  expect(box.value).toBe('Roof of the bach');
  await press();
  await expect.poll(names).toEqual(['Plumber in Taupō', 'Roof of the bach']);
  expect(calls.at(-1)?.body).toEqual({ name: 'Roof of the bach' });
});

test('alerts that could not be loaded again stay with what was typed, and say so until they are', async () => {
  answerCalls({ 'GET /alerts': [list, null, { body: { alerts: [roofer] } }] });
  const { user, client } = show();
  await user.click(await screen.findByRole('button', { name: 'Rename Roofer in Napier' }));
  const asking = within(await screen.findByRole('dialog'));
  await user.type(asking.getByLabelText('Name'), ' and Hastings');
  await client.refetchQueries({ queryKey: ['alerts'] });
  await screen.findByText(/could not be loaded again/);
  expect(asking.getByLabelText<HTMLInputElement>('Name').value).toBe('Roofer in Napier and Hastings');
  expect(names()).toEqual(['Plumber in Taupō', 'Roofer in Napier']);
  await user.click(screen.getByText('Try Again'));
  await expect.poll(names).toEqual(['Roofer in Napier']);
  expect(screen.queryByText(/could not be loaded again/)).toBeNull();
});
