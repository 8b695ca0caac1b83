import { logoColors } from '@handwise/contract/selling/form-rules';
import { expect, test } from 'vitest';
import { businessResolver, type Draft, parseDraft } from './wizard-checks.ts';
import { storedDrafts } from './stored-drafts.ts';
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

const empty = createDraft(null, {}, 'Etc/UTC');
const read = (stored: unknown, market: 'NZ' | 'AU' | null = null) => parseDraft(JSON.stringify(stored), market, empty);
const parse = (...stored: Parameters<typeof read>) => read(...stored)?.draft;
const isDamaged = (stored: unknown) => read(stored)?.isDamaged;

test('reads a draft as it was stored', () => {
  const draft = typed();
  expect(parse(draft)).toEqual(draft);
  expect(parse(draft, 'NZ')).toEqual(draft);
});

test.each(Object.entries(storedDrafts))('reads all that a draft of %s holds', (_, stored) => {
  const draft = parse(stored);
  const { evidence, facts = evidence, ...others } = stored;
  expect(draft).toMatchObject({ ...others, ...(facts && { facts }) });
  expect(isDamaged(stored)).toBe(false);
  expect(Object.keys(draft ?? {}).toSorted()).toEqual(Object.keys(empty).toSorted());
  for (const part of ['business', 'listing', 'facts'] as const)
    expect(Object.keys(draft?.[part] ?? {}).toSorted()).toEqual(Object.keys(empty[part]).toSorted());
});

test('reads the facts of an earlier version without the rest', () => {
  expect(parse({ evidence: { priceFrom: '95' } })).toEqual({ ...empty, facts: { ...empty.facts, priceFrom: '95' } });
});

test('the next listing starts with the business and its licence, and without the reason for having none', () => {
  const { facts } = typed();
  const next = (answer: Partial<Draft['facts']>) => createDraft(null, { facts: { ...facts, ...answer } }, 'Etc/UTC').facts;
  expect(next({ licenceAnswer: 'licence', licenceNumber: '1' })).toMatchObject({ licenceAnswer: 'licence', licenceNumber: '1' });
  expect(next({ licenceAnswer: 'exempt', licenceExemption: 'Only drains' })).toEqual(facts);
});

test('the newest of the stored drafts has all that a draft of this version holds', () => {
  const newest = Object.values(storedDrafts).at(-1);
  expect(Object.keys(newest ?? {}).toSorted()).toEqual(Object.keys(empty).toSorted());
  for (const part of ['business', 'listing', 'facts'] as const)
    expect(Object.keys(newest?.[part] ?? {}).toSorted()).toEqual(Object.keys(empty[part]).toSorted());
});

test('ignores keys of a newer version', () => {
  const draft = typed();
  const newer = { ...draft, colour: 'blue', business: { ...draft.business, fax: '1' }, facts: { ...draft.facts, stars: 5 } };
  expect(parse(newer)).toEqual(draft);
  expect(isDamaged(newer)).toBe(false);
});

const unreadable = 42;
const names = Object.keys(empty) as (keyof Draft)[];
test.each(names)('a draft whose %s cannot be read loses that alone', (name) => {
  const draft = typed();
  const lost = { ...draft, [name]: unreadable };
  expect(parse(lost)).toEqual({ ...draft, [name]: empty[name] });
  expect(isDamaged(lost)).toBe(true);
});

test('a draft without a payment whose business cannot be read keeps the rest', () => {
  const draft = { ...typed(), payment: null };
  expect(parse({ ...draft, business: unreadable })).toEqual({ ...draft, business: empty.business });
});

test.each(['business', 'listing', 'facts'] as const)('a field of its %s that cannot be read is lost alone', (part) => {
  const draft = typed();
  for (const field of Object.keys(empty[part])) {
    const lost = { ...draft, [part]: { ...draft[part], [field]: unreadable } };
    expect(parse(lost)).toEqual({ ...draft, [part]: { ...draft[part], [field]: empty[part][field as never] } });
    expect(isDamaged(lost)).toBe(true);
  }
});

test('a photo that cannot be read is lost alone', () => {
  const draft = typed();
  const lost = { ...draft, photos: [unreadable, ...draft.photos] };
  expect(parse(lost)).toEqual(draft);
  expect([isDamaged(draft), isDamaged(lost)]).toEqual([false, true]);
});

test('a payment is kept as long as it says which one it is', () => {
  const draft = { ...typed(), planId };
  for (const name of ['userId', 'planId', 'country', 'state'])
    expect(parse({ ...draft, payment: { ...payment, [name]: unreadable } })?.payment).toMatchObject({ paymentIntentId: 'pi_1' });
  const bare = parse({ ...draft, business: unreadable, payment: { paymentIntentId: 'pi_1' } })?.payment ?? null;
  expect(bare).toEqual({ paymentIntentId: 'pi_1', userId: '', planId, country: 'NZ', state: 'open' });
  expect(findPayment({ payment: bare }, { userId, country: 'NZ' })).toEqual(bare);
});

test('clears only the place on the site of another country', () => {
  const draft = typed();
  expect(parse(draft, 'AU')).toEqual({ ...draft, business: { ...draft.business, country: 'AU', region: '', district: '' } });
});

test.each([null, '', 'nonsense', '{}', '[]', '{"submissionId":1}'])('ignores %j', (stored) => {
  expect(parseDraft(stored, null, empty)).toBeNull();
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

test('asks for the area code of a local number unless the state is certain', async () => {
  const problemOf = async (country: 'NZ' | 'AU', region: string, businessPhone: string) => {
    const values = { ...typed().business, country, region, businessPhone, businessEmail: 'office@example.org', base: '' };
    const { errors } = await businessResolver(values, undefined, { fields: {}, shouldUseNativeValidation: false });
    return errors.businessPhone?.message;
  };
  expect(await problemOf('AU', 'Queensland', '9123 4567')).toBe('Add the area code, such as 07');
  expect(await problemOf('AU', 'Queensland', '3123 4567')).toBeUndefined();
  expect(await problemOf('NZ', 'Waikato', '9123 4567')).toBeUndefined();
});
