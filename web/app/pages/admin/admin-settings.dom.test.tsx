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

const saves = (calls: ReturnType<typeof answerCalls>) => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);
const change = (version: number, before: object, after: object) => ({
  version,
  changedAt: '2026-11-20T00:00:00Z',
  by: 'Tama Rua',
  reason: 'A new office.',
  before,
  after,
});

test('after a refusal the page shows what the other changed, keeps what was typed, and the next press sends both', async () => {
  const before = { premiumPrice: defaultSite.premiumPrice, basicSlots: defaultSite.basicSlots };
  const after = { premiumPrice: '26.00', basicSlots: '7' };
  const theirs = { ...stored(8, after), history: [change(8, before, after), change(7, { name: 'Old' }, { name: 'New' })] };
  const mine = stored(9, { ...after, premiumPrice: '27.50', prize: '2000' });
  const calls = answerCalls({
    'GET /admin/settings': [{ body: stored(7) }, { body: theirs }],
    'PUT /admin/settings': [refusal, { body: { message: 'Saved.', ...mine } }],
  });
  const { user } = renderPart(<AdminSettingsPage />);
  const labelled = (name: keyof typeof settingWords) => screen.findByLabelText<HTMLInputElement>(settingWords[name].label);
  fireEvent.change(await labelled('premiumPrice'), { target: { value: '27.50' } });
  fireEvent.change(screen.getByLabelText('Why are you changing this?'), { target: { value: 'Costs.' } });
  await user.click(screen.getByRole('button', { name: 'Save the settings' }));
  const news = await screen.findByRole('alert');
  expect(news.textContent).toMatch(/What you typed is kept and not saved yet/);
  expect(news.textContent).toContain(`Tama Rua, “A new office.”: Premium, dollars: ${before.premiumPrice} → 26.00`);
  expect(news.textContent).toContain('Saving replaces theirs with yours: Premium, dollars.');
  expect(news.textContent).not.toContain('Old');
  expect(document.activeElement).toBe(news);
  expect([(await labelled('premiumPrice')).value, (await labelled('basicSlots')).value]).toEqual(['27.50', '7']);
  expect(screen.getByLabelText<HTMLTextAreaElement>('Why are you changing this?').value).toBe('Costs.');
  fireEvent.change(await labelled('prize'), { target: { value: '2000' } });
  await user.click(screen.getByRole('button', { name: 'Save the settings' }));
  await expect.poll(() => screen.getByLabelText('Why are you changing this?')).toHaveProperty('value', '');
  const values = { ...defaultSite, ...after, premiumPrice: '27.50', prize: '2000' };
  expect(saves(calls)[1]).toMatchObject({ version: 8, reason: 'Costs.', values });
  // It is saved: nothing of the draft or of the notice is left.
  expect(screen.queryByText(/What you typed is kept/)).toBeNull();
});

test('a refusal behind which nothing could be loaded keeps what was typed, and the next press tries again', async () => {
  const after = { supportEmail: 'desk@handwise.example' };
  const calls = answerCalls({
    'GET /admin/settings': [
      { body: stored(7) },
      null,
      { body: { ...stored(8, after), history: [change(8, { supportEmail: '' }, after)] } },
    ],
    'PUT /admin/settings': [refusal],
  });
  const { user } = renderPart(<AdminSettingsPage />);
  const price = () => screen.findByLabelText<HTMLInputElement>(settingWords.premiumPrice.label);
  fireEvent.change(await price(), { target: { value: '27.50' } });
  fireEvent.change(screen.getByLabelText('Why are you changing this?'), { target: { value: 'Costs.' } });
  await user.click(screen.getByRole('button', { name: 'Save the settings' }));
  await screen.findByText('Somebody else has changed the settings.');
  expect((await price()).value).toBe('27.50');
  await user.click(screen.getByRole('button', { name: 'Save the settings' }));
  await screen.findByText(/What you typed is kept/);
  expect([(await price()).value, screen.getByLabelText<HTMLInputElement>(settingWords.supportEmail.label).value]).toEqual([
    '27.50',
    after.supportEmail,
  ]);
  expect(screen.queryByText(/Saving replaces theirs/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save the settings' }));
  await expect.poll(() => saves(calls).length).toBe(3);
  expect(saves(calls)[2]).toMatchObject({ version: 8, values: { premiumPrice: '27.50', ...after } });
});

test('a yes to unmet rules is not taken over to a prize that somebody else has set meanwhile', async () => {
  const after = { permitNsw: 'TP/00042' };
  const calls = answerCalls({
    'GET /admin/settings': [{ body: stored(7) }, { body: { ...stored(8, after), history: [change(8, { permitNsw: '' }, after)] } }],
    'PUT /admin/settings': [refusal],
  });
  const { user } = renderPart(<AdminSettingsPage />);
  fireEvent.change(await screen.findByLabelText(settingWords.prize.label), { target: { value: '900000' } });
  fireEvent.change(screen.getByLabelText('Why are you changing this?'), { target: { value: 'More.' } });
  await user.click(await screen.findByRole('checkbox', { name: 'Set it all the same' }));
  await user.click(screen.getByRole('button', { name: 'Save the settings' }));
  await screen.findByText(/What you typed is kept/);
  expect(saves(calls)).toMatchObject([{ acceptsUnmet: true, values: { prize: '900000' } }]);
  expect(screen.getByLabelText<HTMLInputElement>(settingWords.prize.label).value).toBe('900000');
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Set it all the same' }).checked).toBe(false);
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
