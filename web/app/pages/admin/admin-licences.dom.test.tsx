import type { LicenceClaim, StoredRequirement } from '@handwise/contract/registers/calls';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
import AdminLicencesPage from './admin-licences.tsx';

const claim = (listingId: string, business: string): LicenceClaim => ({
  listingId,
  title: 'Drains',
  business,
  registerName: 'Register',
  page: 'https://register.example',
  number: `N-${listingId}`,
  holder: `Holder ${listingId}`,
  class: null,
  state: 'QLD' as LicenceClaim['state'],
  problem: null,
  queuedAt: '2026-11-20T00:00:00Z',
});
const requirement = (id: string, work: string): StoredRequirement => ({
  _id: id,
  country: 'AU',
  state: 'QLD',
  category: 'plumbing',
  subCategory: work,
  required: 'above-threshold',
  thresholdMinor: 330_000,
  what: 'A licence',
  registerName: 'QBCC',
  registerUrl: 'https://qbcc.example',
  source: 'Act 1991',
  confirmed: true,
  correctedAt: null,
  reason: null,
});
const queue = (...claims: LicenceClaim[]) => ({ body: { claims, currentPage: 1, totalPages: 1, total: claims.length } });
const requirements = { body: { requirements: [requirement('q1', 'Drains'), requirement('q2', 'Gas')] } };

test('what was found is recorded for the licence that was looked up, and kept when it could not be', async () => {
  const calls = answerCalls({
    'GET /admin/licences/queue': [queue(claim('l2', 'Tāne Drains'), claim('l1', 'Ana Plumbing')), queue(claim('l1', 'Ana Plumbing'))],
    'GET /admin/licences/requirements': [requirements],
    'POST /admin/licences/queue/l2': [null, { body: { message: 'Recorded.' } }],
  });
  const { user } = renderPart(<AdminLicencesPage />);
  await user.click(await screen.findByRole('button', { name: 'Say what is there for Tāne Drains' }));
  const part = within(await screen.findByRole('article', { name: 'Tāne Drains' }));
  await user.selectOptions(await part.findByLabelText('What does the register have?'), 'not_found');
  await user.click(part.getByRole('button', { name: 'Save' }));
  await part.findByText(/connecting/);
  expect(part.getByLabelText('What does the register have?')).toHaveProperty('value', 'not_found');
  await user.click(part.getByRole('button', { name: 'Save' }));
  await expect.poll(() => screen.queryByRole('article', { name: 'Tāne Drains' })).toBeNull();
  // The form does not stay open for the next business.
  screen.getByRole('button', { name: 'Say what is there for Ana Plumbing' });
  const sent = calls.filter(({ method }) => method === 'POST');
  expect(sent).toHaveLength(2);
  expect(sent[1]).toMatchObject({
    path: '/admin/licences/queue/l2',
    body: { number: 'N-l2', holder: 'Holder l2', result: 'not_found' },
  });
});

test('a correction is of the chosen row, in cents, and the focus returns to its button after it or without it', async () => {
  const calls = answerCalls({
    'GET /admin/licences/queue': [queue()],
    'GET /admin/licences/requirements': [requirements],
    'POST /admin/licences/requirements/q2': [{ body: {} }],
  });
  const { user } = renderPart(<AdminLicencesPage />);
  const button = await screen.findByRole('button', { name: /Gas/ });
  await user.click(button);
  const form = within(await screen.findByRole('form', { name: 'Correct Gas, QLD' }));
  expect(document.activeElement?.textContent).toBe('Gas, QLD');
  await user.click(form.getByRole('button', { name: 'Cancel' }));
  await expect.poll(() => document.activeElement).toBe(button);
  await user.click(button);
  const again = within(await screen.findByRole('form', { name: 'Correct Gas, QLD' }));
  // happy-dom takes the first option where a browser has the form's value.
  await user.selectOptions(again.getByLabelText('Licence'), 'above-threshold');
  const threshold = again.getByLabelText(/^From which value/);
  expect(threshold).toHaveProperty('value', '3300');
  await user.clear(threshold);
  await user.type(threshold, '5000');
  await user.type(again.getByLabelText(/^Why are you/), 'New law.');
  await user.click(again.getByRole('button', { name: 'Save' }));
  await expect.poll(() => document.activeElement).toBe(button);
  expect(calls.filter(({ method }) => method === 'POST')).toMatchObject([
    { path: '/admin/licences/requirements/q2', body: { thresholdMinor: 500_000, reason: 'New law.', required: 'above-threshold' } },
  ]);
});
