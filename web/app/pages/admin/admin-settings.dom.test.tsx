import { defaultSite } from '@handwise/contract/site/default-site';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
import { settingWords } from '../../domains/site/settings-words.ts';
import AdminSettingsPage from './admin-settings.tsx';

const stored = (version: number, changed: Partial<typeof defaultSite> = {}) => ({
  settings: { ...defaultSite, ...changed },
  version,
  live: { AU: 1, NZ: 2 },
  history: [],
});
const refusal = { status: 409, body: { code: 'settings_changed', message: 'Somebody else has changed the settings.' } };

test('settings that were refused stay as typed, and are sent with their reason and the version that was read', async () => {
  const calls = answerCalls({
    'GET /admin/settings': [{ body: stored(7) }],
    'PUT /admin/settings': [refusal, { body: { message: 'Saved.', ...stored(8, { premiumPrice: '27.50' }) } }],
  });
  const { user } = renderPart(<AdminSettingsPage />);
  const price = await screen.findByLabelText(settingWords.premiumPrice.label);
  const reason = screen.getByLabelText('Why are you changing this?');
  fireEvent.change(price, { target: { value: '27.50' } });
  await user.click(screen.getByRole('button', { name: 'Save the settings' }));
  expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
  fireEvent.change(reason, { target: { value: 'Costs.' } });
  await user.click(screen.getByRole('button', { name: 'Save the settings' }));
  await screen.findByText('Somebody else has changed the settings.');
  expect([price, reason].map((field) => (field as HTMLInputElement).value)).toEqual(['27.50', 'Costs.']);
  await user.click(screen.getByRole('button', { name: 'Save the settings' }));
  await expect.poll(() => screen.getByLabelText('Why are you changing this?')).toHaveProperty('value', '');
  const sent = calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toMatchObject({ version: 7, reason: 'Costs.', values: { premiumPrice: '27.50', basicPrice: '15.00' } });
});

test('what is closed says what stays live, one and many', async () => {
  answerCalls({ 'GET /admin/settings': [{ body: stored(7) }] });
  const { user } = renderPart(<AdminSettingsPage />);
  await user.click(await screen.findByRole('checkbox', { name: 'Australia' }));
  await screen.findByText('Australia takes no new listings; 1 live listing stays until it ends.');
  await user.click(screen.getByRole('checkbox', { name: 'Australia' }));
  await user.click(screen.getByRole('checkbox', { name: 'New Zealand' }));
  expect(await screen.findByText('New Zealand takes no new listings; 2 live listings stay until they end.')).toBeTruthy();
});
