import { logoColors } from '@handwise/contract/selling/form-rules';
import { expect, test } from 'vitest';
import { noEvidence } from '../fields/evidence-form.ts';
import { type Draft, parseDraft } from './wizard-checks.ts';
import { createDraft, findPayment } from './wizard-draft.ts';

const userId = '0190f2c4-0000-7000-8000-000000000001';
const planId = '0190f2c4-0000-7000-8000-000000000002';
const payment = { paymentIntentId: 'pi_1', userId, planId, country: 'NZ', state: 'paid' } as const;
const typed = (): Draft => {
  const draft = createDraft(null, {}, 'Etc/UTC');
  return {
    ...draft,
    step: 'details',
    begun: true,
    business: { ...draft.business, businessName: 'Tāne & Sons', country: 'NZ', region: 'Waikato', district: 'Taupō' },
    photos: [{ id: 'a', name: 'deck.jpg' }],
    payment,
  };
};

test('reads a draft as it was stored', () => {
  const draft = typed();
  expect(parseDraft(JSON.stringify(draft), null)).toEqual(draft);
  expect(parseDraft(JSON.stringify(draft), 'NZ')).toEqual(draft);
});

test('fills in missing fields of older drafts', () => {
  const { evidence, ...older } = typed();
  expect(parseDraft(JSON.stringify(older), null)).toEqual({ ...older, evidence: noEvidence });
  expect(parseDraft(JSON.stringify({ ...older, evidence: { ...evidence, priceFrom: '95' } }), null)?.evidence.priceFrom).toBe('95');
  const { minimumCharge: _, ...oldEvidence } = evidence;
  expect(parseDraft(JSON.stringify({ ...older, evidence: oldEvidence }), null)).toEqual({ ...older, evidence });
});

test('clears only the place on the site of another country', () => {
  const draft = typed();
  expect(parseDraft(JSON.stringify(draft), 'AU')).toEqual({
    ...draft,
    business: { ...draft.business, country: 'AU', region: '', district: '' },
  });
});

test.each([null, '', 'nonsense', '{}', '[]', '{"submissionId":1}'])('ignores %j', (stored) => {
  expect(parseDraft(stored, null)).toBeNull();
});

test('gives a new draft an id, one of ten colours and the country of the host, else of the time zone', () => {
  const [first, second] = [createDraft('AU'), createDraft('AU')];
  expect(first.submissionId).not.toBe(second.submissionId);
  expect(logoColors).toContain(first.logoColor);
  expect(first.business.country).toBe('AU');
  const countryIn = (timeZone: string) => createDraft(null, {}, timeZone).business.country;
  expect(['Pacific/Auckland', 'Australia/Perth', 'Europe/London', 'Etc/UTC'].map(countryIn)).toEqual(['NZ', 'AU', '', '']);
  expect(createDraft('AU', {}, 'Pacific/Auckland').business.country).toBe('AU');
});

test('fills in a known business, without its place if the host is of another country', () => {
  const { business } = typed();
  expect(createDraft('NZ', { business }).business).toEqual(business);
  expect(createDraft('AU', { business }).business).toEqual({ ...business, country: 'AU', region: '', district: '' });
});

test('finds a payment only for its person and country', () => {
  expect(findPayment({ payment }, { userId, country: 'NZ' })).toEqual(payment);
  expect(findPayment({ payment }, { userId: planId, country: 'NZ' })).toBeNull();
  expect(findPayment({ payment }, { userId, country: 'AU' })).toBeNull();
  expect(findPayment({ payment }, { userId: undefined, country: 'NZ' })).toBeNull();
});
