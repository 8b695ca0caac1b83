import { logoColors } from '@handwise/contract/selling/form-rules';
import { expect, test } from 'vitest';
import { noEvidence } from '../fields/evidence-form.ts';
import { type Draft, parseDraft } from './wizard-checks.ts';
import { newDraft, paymentFor } from './wizard-draft.ts';

const userId = '0190f2c4-0000-7000-8000-000000000001';
const planId = '0190f2c4-0000-7000-8000-000000000002';
const payment = { paymentIntentId: 'pi_1', userId, planId, country: 'NZ', state: 'paid' } as const;
const typed = (): Draft => {
  const draft = newDraft(null, {}, 'Etc/UTC');
  return {
    ...draft,
    step: 'details',
    begun: true,
    business: { ...draft.business, businessName: 'Tāne & Sons', country: 'NZ', region: 'Waikato', district: 'Taupō' },
    photos: [{ id: 'a', name: 'deck.jpg' }],
    payment,
  };
};

test('a draft comes back as it was kept', () => {
  const draft = typed();
  expect(parseDraft(JSON.stringify(draft), null)).toEqual(draft);
  expect(parseDraft(JSON.stringify(draft), 'NZ')).toEqual(draft);
});

test('a draft that is older than what people decide on comes back without it', () => {
  const { evidence, ...older } = typed();
  expect(parseDraft(JSON.stringify(older), null)).toEqual({ ...older, evidence: noEvidence });
  expect(parseDraft(JSON.stringify({ ...older, evidence: { ...evidence, priceFrom: '95' } }), null)?.evidence.priceFrom).toBe('95');
});

test('on the site of another country the place is asked for again, and nothing else', () => {
  const draft = typed();
  expect(parseDraft(JSON.stringify(draft), 'AU')).toEqual({
    ...draft,
    business: { ...draft.business, country: 'AU', region: '', district: '' },
  });
});

test.each([null, '', 'nonsense', '{}', '[]', '{"submissionId":1}'])('%j is no draft', (stored) => {
  expect(parseDraft(stored, null)).toBeNull();
});

test('each new draft has an id of its own and one of the ten colours, and starts in the country of the host, else of the clocks', () => {
  const [first, second] = [newDraft('AU'), newDraft('AU')];
  expect(first.submissionId).not.toBe(second.submissionId);
  expect(logoColors).toContain(first.logoColor);
  expect(first.business.country).toBe('AU');
  const countryIn = (timeZone: string) => newDraft(null, {}, timeZone).business.country;
  expect(['Pacific/Auckland', 'Australia/Perth', 'Europe/London', 'Etc/UTC'].map(countryIn)).toEqual(['NZ', 'AU', '', '']);
  expect(newDraft('AU', {}, 'Pacific/Auckland').business.country).toBe('AU');
});

test('a business that is known is filled in, without its place where the host is in another country', () => {
  const { business } = typed();
  expect(newDraft('NZ', { business }).business).toEqual(business);
  expect(newDraft('AU', { business }).business).toEqual({ ...business, country: 'AU', region: '', district: '' });
});

test('a payment counts for the person and the country that it was made for', () => {
  expect(paymentFor({ payment }, { userId, country: 'NZ' })).toEqual(payment);
  expect(paymentFor({ payment }, { userId: planId, country: 'NZ' })).toBeNull();
  expect(paymentFor({ payment }, { userId, country: 'AU' })).toBeNull();
  expect(paymentFor({ payment }, { userId: undefined, country: 'NZ' })).toBeNull();
});
