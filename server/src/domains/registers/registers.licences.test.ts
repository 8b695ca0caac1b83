import { afterEach, expect, test } from 'vitest';
import { factForm, validateFacts } from '@handwise/contract/facts/fields';
import { findRegisterByAddress } from '@handwise/contract/registers/licence-registers';
import { listLicenceFaults } from '@handwise/contract/registers/licences';
import { testApp } from '@handwise/sandbox/testing/app';
import { readRequirements } from './registers.licence-rows.ts';
import { resolveRequirement } from './registers.licence-rules.ts';
import { syncLicenceRequirements } from './registers.service.ts';

const { db, given, callers } = await testApp();
const { as, asVisitor } = callers;

type Texts = Record<string, string>;
const sydney = 'Sydney, New South Wales, Australia';
const hobart = 'Hobart, Tasmania, Australia';
const licence = { licenceRegister: 'pgdb', licenceNumber: '12345', licenceName: 'Mere Kingi', licenceClass: 'Certifying plumber' };
const none = { licenceRegister: '', licenceNumber: '', licenceName: '', licenceClass: '' };
const builder = { serviceCategory: 'Building & Construction', serviceSubCategory: 'Residential' };

/** Publishes a listing with exactly these licence fields. */
async function publish(texts: Texts) {
  const seller = await given.user();
  const paymentId = await given.payment(seller, 'basic', texts['location']?.includes('Australia') ? 'AU' : 'NZ');
  const { status, body } = await as(seller).postForm('/listing/create', given.listingForm('basic', { paymentId, ...none, ...texts }));
  return { seller, status, body, id: body._id as string, faults: (body.errors ?? []) as { field: string; message: string }[] };
}
const seen = async (id: string) => (await asVisitor.get(`/listing/${id}`)).body;
const countListings = async (userId: string) =>
  (await db.selectFrom('listings').select('id').where('seller_id', '=', userId).execute()).length;

test('reads every row of the file, with a register that a listing can name wherever one is given', () => {
  const rows = readRequirements();
  expect(rows.length).toBeGreaterThan(150);
  const unknown = rows.filter((row) => row.register_url !== '' && findRegisterByAddress(row.register_url, row.country) === null);
  expect(unknown.map((row) => row.register_url)).toEqual([]);
  const asked = rows.filter((row) => ['yes', 'above-threshold'].includes(row.required) && row.confirmed);
  expect(asked.filter((row) => row.register_url === '')).toEqual([]);
});

test.each([
  ['Atlantis\t\tPlumbing\t*\tyes\t\tx\t\t\t\tsource', /line 2: no country “Atlantis”/],
  ['AU\tXYZ\tPlumbing\t*\tyes\t\tx\t\t\t\tsource', /no state “XYZ”/],
  ['NZ\t\tAlchemy\t*\tyes\t\tx\t\t\t\tsource', /no group “Alchemy”/],
  ['NZ\t\tPlumbing\tGold\tyes\t\tx\t\t\t\tsource', /no sub-category “Gold”/],
  ['NZ\t\tPlumbing\t*\tperhaps\t\tx\t\t\t\tsource', /“perhaps” is no requirement/],
  ['NZ\t\tPlumbing\t*\tyes\tmuch\tx\t\t\t\tsource', /no value “much”/],
])('refuses the row %j', (row, problem) => expect(() => readRequirements(`header\n${row}`)).toThrow(problem));

const row = (sub: number | null, required: 'yes' | 'above-threshold' | 'unsure' | 'no', more: object = {}) => ({
  country: 'AU' as const,
  sub_category_code: sub,
  required,
  threshold_minor: null,
  what: `licence ${sub}`,
  register_name: 'Register',
  register_url: 'https://verify.licence.nsw.gov.au',
  confirmed: true,
  ...more,
});

test('a sub-category’s row comes before its group’s, and a row without a source requires nothing', () => {
  const rows = [row(null, 'yes'), row(602, 'no')];
  expect(resolveRequirement(rows, 6, 602).required).toBe('no');
  expect(resolveRequirement(rows, 6, 601)).toMatchObject({ required: 'yes', register: 'nsw' });
  expect(resolveRequirement([row(null, 'yes', { confirmed: false })], 6, 601).required).toBe('unsure');
  expect(resolveRequirement([], 6, 601).required).toBe('unsure');
});

test('without a sub-category most of the group decides', () => {
  expect(resolveRequirement([row(501, 'yes'), row(502, 'yes')], 5, null)).toMatchObject({
    required: 'yes',
    what: 'licence 501; licence 502',
  });
  // Pest control needs a licence; a business that tidies homes does not.
  expect(resolveRequirement([row(204, 'yes')], 2, null).required).toBe('unsure');
  const mixed = [401, 402, 404, 405].map((sub) => row(sub, 'above-threshold', { threshold_minor: 500_000 }));
  expect(resolveRequirement(mixed, 4, null)).toMatchObject({ required: 'above-threshold', thresholdMinor: 500_000 });
  const other = [...mixed.slice(1), row(401, 'above-threshold', { threshold_minor: 1_000_000 })];
  expect(resolveRequirement(other, 4, null)).toMatchObject({ required: 'above-threshold', thresholdMinor: null });
});

test.each([
  ['nothing', {}, 'licenceAnswer', /asks for a licence for this work here/],
  ['no class', { ...licence, licenceClass: '' }, 'licenceClass', /Name the class/],
  ['an answer without its number', { licenceAnswer: 'licence' }, 'licenceAnswer', /name yours/],
  ['an exemption without its words', { licenceAnswer: 'exempt' }, 'licenceAnswer', /the exemption that applies/],
  ['a limit that the law does not have', { licenceAnswer: 'below-limit' }, 'licenceAnswer', /whatever it costs/],
] as const)('a plumber who states %s is not published, and the payment stays', async (_, texts, field, message) => {
  const { seller, status, faults } = await publish(texts);
  expect([status, faults]).toEqual([400, [{ field, message: expect.stringMatching(message) }]]);
  expect(await countListings(seller._id)).toBe(0);
  const used = await db.selectFrom('subscriptions').select('slots_used').where('user_id', '=', seller._id).execute();
  expect(used.filter(({ slots_used: slots }) => slots > 0)).toEqual([]);
});

test('an answer that was begun for other work is in nobody’s way', () => {
  for (const licenceAnswer of ['licence', 'exempt', 'below-limit'] as const)
    expect(validateFacts(factForm.parse({ licenceAnswer }), 'NZ', 2026)).toEqual([]);
});

test('a licence is shown with its class and holder; an exemption in the business’s words', async () => {
  const licensed = await publish(licence);
  expect(licensed.status).toBe(201);
  expect(await seen(licensed.id)).toMatchObject({
    licence: { register: 'pgdb', number: '12345', name: 'Mere Kingi', class: 'Certifying plumber' },
    withoutLicence: null,
  });
  const exempt = await publish({ ...licence, licenceAnswer: 'exempt', licenceExemption: 'We only clear drains' });
  expect(exempt.status).toBe(201);
  // Only the fields of the chosen answer are stored.
  expect(await seen(exempt.id)).toMatchObject({ licence: null, withoutLicence: { exemption: 'We only clear drains', limitMinor: null } });
});

test('a builder who stays below the limit says so on the listing, with the limit of its state', async () => {
  const below = await publish({ ...builder, location: sydney, licenceAnswer: 'below-limit' });
  expect(below.status).toBe(201);
  expect(await seen(below.id)).toMatchObject({ licence: null, withoutLicence: { exemption: null, limitMinor: 500_000 } });
  expect((await publish({ ...builder, location: sydney })).faults).toMatchObject([{ field: 'licenceAnswer' }]);
});

test.each([
  ['other work', { serviceCategory: 'Cleaning' }],
  ['work that nobody is sure about', { serviceCategory: 'Window & Glazing', serviceSubCategory: 'Glass repairs' }],
  ['work whose row has no source', { serviceCategory: 'Home Improvement', serviceSubCategory: 'Pest control', location: hobart }],
])('%s needs no answer, and may state a licence', async (_, texts) => {
  expect((await publish(texts)).status).toBe(201);
  const register = 'location' in texts ? 'tas' : 'lbp';
  const stated = await publish({ ...texts, ...licence, licenceRegister: register, licenceClass: '' });
  expect(stated.status).toBe(201);
  expect((await seen(stated.id)).licence).toMatchObject({ register, class: null });
});

test('a reason for having no licence is dropped where the law asks for none', async () => {
  const cleaner = { serviceCategory: 'Cleaning' };
  for (const answer of [{ licenceAnswer: 'exempt', licenceExemption: 'Only drains' }, { licenceAnswer: 'below-limit' }]) {
    const { status, id } = await publish({ ...cleaner, ...answer });
    expect([status, (await seen(id)).withoutLicence]).toEqual([201, null]);
  }
  const exempt = { ...none, licenceAnswer: 'exempt', licenceExemption: 'Only drains' };
  const { seller, id } = await publish(exempt);
  expect((await seen(id)).withoutLicence).not.toBeNull();
  expect(await edit(seller, id, { ...exempt, ...cleaner })).toMatchObject({ status: 200 });
  expect((await seen(id)).withoutLicence).toBeNull();
});

test('a limit that is lower than the one that was named is asked about again', () => {
  const stated = { number: null, holder: null, class: null, exemption: null, belowLimit: true };
  const faults = (limitMinor: number | null, thresholdMinor: number | null) =>
    listLicenceFaults({ required: 'above-threshold', thresholdMinor }, { ...stated, limitMinor }).map(({ message }) => message);
  expect(faults(500_000, 100_000)).toEqual(['This work now needs a licence from $1,000: answer again']);
  for (const [limit, threshold] of [
    [500_000, 500_000],
    [100_000, 500_000],
    [null, 500_000],
    [500_000, null],
  ] as const)
    expect(faults(limit, threshold)).toEqual([]);
});

async function edit(seller: { _id: string }, id: string, texts: Texts) {
  const { submissionId: _, servicePlan: __, ...form } = given.listingForm('basic', { ...none, ...texts });
  const { status, body } = await as(seller as never).putForm(`/listing/${id}`, form);
  return { status, fields: (body.errors ?? []).map(({ field }: { field: string }) => field) };
}

test('an edit does not take an answer away or change to work without one', async () => {
  const { seller, id } = await publish(licence);
  expect(await edit(seller, id, {})).toEqual({ status: 400, fields: ['licenceAnswer'] });
  expect(await edit(seller, id, { serviceCategory: 'Alarm & Security' })).toEqual({ status: 400, fields: ['licenceAnswer'] });
  expect((await seen(id)).licence).not.toBeNull();
  expect(await edit(seller, id, { ...licence, licenceAnswer: 'exempt', licenceExemption: 'Only drains' })).toMatchObject({ status: 200 });
  expect(await seen(id)).toMatchObject({ licence: null, withoutLicence: { exemption: 'Only drains' } });
  expect(await edit(seller, id, { serviceCategory: 'Cleaning', licenceAnswer: '' })).toMatchObject({ status: 200 });
  expect(await seen(id)).toMatchObject({ licence: null, withoutLicence: null });
});

test('a listing from before can be edited without an answer, but not reactivated', async () => {
  const seller = await given.user();
  const { id } = await given.listing({ sellerId: seller._id });
  await db.updateTable('listings').set({ licence_exemption: null }).where('id', '=', id).execute();
  expect(await edit(seller, id, { serviceTitle: 'Hot water' })).toMatchObject({ status: 200 });
  await as(seller).put(`/listing/${id}/deactivate`);
  expect(await as(seller).put(`/listing/${id}/reactivate`)).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'licenceAnswer' }] },
  });
  expect(await edit(seller, id, licence)).toMatchObject({ status: 200 });
  expect((await as(seller).put(`/listing/${id}/reactivate`)).status).toBe(200);
});

test('says what the law asks for, by names, and refuses unknown ones', async () => {
  const ask = (query: Texts) => asVisitor.get(`/licences/requirement?${new URLSearchParams(query).toString()}`);
  expect(await ask({ region: 'New South Wales', category: 'Roofing' })).toMatchObject({
    status: 200,
    body: { required: 'above-threshold', thresholdMinor: 500_000, register: 'nsw' },
  });
  expect((await ask({ region: 'Waikato', category: 'Cleaning' })).body.required).toBe('unsure');
  expect(await ask({ region: 'Atlantis', category: 'Roofing' })).toMatchObject({ status: 400, body: { errors: [{ field: 'region' }] } });
  expect(await ask({ region: 'Waikato', category: 'Alchemy' })).toMatchObject({ status: 400, body: { errors: [{ field: 'category' }] } });
  expect((await ask({ region: 'Waikato', category: 'Plumbing', subCategory: 'Gold' })).status).toBe(400);
});

const correction = {
  required: 'no',
  thresholdMinor: null,
  what: 'None any more',
  registerName: '',
  registerUrl: '',
  source: 'https://www.legislation.govt.nz/',
  reason: 'The Act was amended.',
};
const corrected: string[] = [];
afterEach(async () => {
  await db
    .updateTable('licence_requirements')
    .set({ corrected_at: null, reason: null })
    .where('id', 'in', [...corrected, '00000000-0000-4000-8000-000000000000'])
    .execute();
  await db.transaction().execute((tx) => syncLicenceRequirements(tx));
});

test('an administrator corrects a row: with a reason, in the audit log, and the next start leaves it', async () => {
  const admin = await given.administrator();
  const { body } = await as(admin).get('/admin/licences/requirements');
  const plumbing = body.requirements.find(
    (one: { country: string; category: string }) => one.country === 'NZ' && one.category === 'Plumbing',
  );
  expect(plumbing).toMatchObject({ required: 'yes', state: null, subCategory: null, correctedAt: null });
  corrected.push(plumbing._id);
  const url = `/admin/licences/requirements/${plumbing._id}`;
  expect(await as(admin).post(url, { ...correction, reason: ' ' })).toMatchObject({ status: 400, body: { errors: [{ field: 'reason' }] } });
  expect(await as(admin).post(url, { ...correction, registerUrl: 'http://127.0.0.1/' })).toMatchObject({ status: 400 });
  expect((await publish({})).status).toBe(400);
  const answer = await as(admin).post(url, correction);
  expect(answer).toMatchObject({ status: 200, body: { requirement: { required: 'no', reason: 'The Act was amended.' } } });
  const entry = await db.selectFrom('audit_log').selectAll().where('subject_id', '=', plumbing._id).executeTakeFirstOrThrow();
  expect(entry).toMatchObject({
    actor_id: admin._id,
    what: 'licence_requirements.update',
    before: { required: 'yes' },
    after: { required: 'no', reason: 'The Act was amended.' },
  });
  await db.transaction().execute((tx) => syncLicenceRequirements(tx));
  expect((await publish({})).status).toBe(201);
  expect((await as(admin).post('/admin/licences/requirements/00000000-0000-4000-8000-000000000000', correction)).status).toBe(404);
});

test('nobody else reads or corrects the rows', async () => {
  const member = await given.user();
  expect((await as(member).get('/admin/licences/requirements')).status).toBe(403);
  expect((await as(member).post('/admin/licences/requirements/00000000-0000-4000-8000-000000000000', correction)).status).toBe(403);
  expect((await asVisitor.get('/admin/licences/requirements')).status).toBe(401);
});
