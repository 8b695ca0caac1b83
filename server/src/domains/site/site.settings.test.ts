import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { defaultSite } from '@handwise/contract/site/default-site';
import { site } from '@handwise/contract/site/site';
import { testApp } from '@handwise/sandbox/testing/app';
import { testSite } from '@handwise/sandbox/testing/site';
import { changeSettings, loadSettings } from './site.settings.ts';

const { app, db, given, callers, parts, outbox } = await testApp(
  { SITE: '{"name":"Tradie Post","legalName":"Tradie Post Limited"}' },
  await testSite(),
);
const { as } = callers;
const { context } = parts;
const admin = await given.administrator({ fullName: 'Aroha Ngata' });

const read = async () => (await as(admin).get('/admin/settings')).body;
const change = async (values: object, reason = 'New owners') =>
  as(admin).put('/admin/settings', { version: (await read()).version, reason, values });
const footer = async () => (await app.inject('/terms')).body;

test('begins with the values of the environment', async () => {
  const { settings, version, history } = await read();
  expect(settings).toMatchObject({ name: 'Tradie Post', legalName: 'Tradie Post Limited', supportEmail: 'support@handwise.example' });
  expect([version, history]).toEqual([0, []]);
  expect(await footer()).toContain('Tradie Post Limited');
});

test('says publicly whose site it is', async () => {
  const { legalAddress: address, supportEmail } = defaultSite;
  const operator = { name: 'Tradie Post', supportEmail, legalPerson: 'Tradie Post Limited', address };
  expect((await callers.asVisitor.get('/config')).body.site).toEqual(operator);
});

test('a change is on pages at once, in the history and in the audit log', async () => {
  expect(await footer()).toContain('Tradie Post');
  expect((await app.inject('/terms')).headers['x-cache']).toBe('hit');
  const answer = await change({ name: 'Sorted & Co', legalAddress: '9 Quay Street, Nelson 7010, New Zealand' });
  expect(answer).toMatchObject({ status: 200, body: { settings: { name: 'Sorted & Co' }, version: 1 } });
  const page = await app.inject('/terms');
  expect(page.headers['x-cache']).toBe('miss');
  expect(page.body).toContain('Sorted &amp; Co');
  expect(page.body).toContain('9 Quay Street');
  expect(page.body).not.toContain('Tradie Post<');

  const { history } = await read();
  expect(history).toMatchObject([
    { by: 'Aroha Ngata', reason: 'New owners', before: { name: 'Tradie Post' }, after: { name: 'Sorted & Co' } },
  ]);
  const { body } = await as(admin).get('/admin/audit?table=site_settings');
  expect(body.entries).toMatchObject([
    { what: 'site_settings.insert', actor: { name: 'Aroha Ngata' }, after: { reason: 'New owners', before: { name: 'Tradie Post' } } },
  ]);
});

test('what another server has stored reaches this one without a restart, also for pages in its cache', async () => {
  await footer();
  await sql`insert into site_settings (reason, before, after, settings) values ('by hand', '{}', '{"name": "Handy North"}', '{"name": "Handy North"}')`.execute(
    db,
  );
  await expect.poll(() => site.name).toBe('Handy North');
  expect(await footer()).toContain('Handy North');
  // What is no longer stored comes from the environment again.
  expect(site.legalAddress).toBe(defaultSite.legalAddress);
  expect((await read()).history[0]).toMatchObject({ by: null, reason: 'by hand' });
});

test('llms.txt is built again under the new name', async () => {
  await change({ name: 'Fixers' });
  await outbox.runJobs();
  expect((await app.inject('/llms.txt')).body).toMatch(/^# Fixers\n/);
  expect(JSON.parse((await app.inject('/site.webmanifest')).body)).toMatchObject({ name: 'Fixers', short_name: 'Fixers' });
});

test.each([
  ['a name without letters', { name: '!!' }, 'values.name'],
  ['a name that breaks an address', { name: 'Fix <it>' }, 'values.name'],
  ['a colour that is none', { accent: 'green' }, 'values.accent'],
  ['a sender that is no address', { senderEmail: 'hello' }, 'values.senderEmail'],
  ['no postal address', { legalAddress: ' ' }, 'values.legalAddress'],
  ['a wrong NZBN', { nzbn: '9429000000032' }, 'values.nzbn'],
  ['a wrong ABN', { abn: '51824753557' }, 'values.abn'],
  ['no reason', { name: 'Other' }, 'reason', ''],
  ['what is set already', { name: 'Fixers' }, 'reason'],
])('refuses %s and changes nothing', async (_what, values, field, reason?: string) => {
  const before = await read();
  const answer = await change(values, reason);
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ field }] } });
  expect(await read()).toEqual(before);
});

test('of two changes at once, the second is asked to look again', async () => {
  const { version } = await read();
  const send = (name: string) => as(admin).put('/admin/settings', { version, reason: 'At once', values: { name } });
  const answers = await Promise.all([send('First Fix'), send('Second Fix')]);
  expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]));
  expect((await read()).version).toBe(version + 1);
});

test('a change without a version is made over whatever came before, and is public at once', async () => {
  for (const name of ['Fixers North', 'Fixers South']) {
    expect((await as(admin).put('/admin/settings', { values: { name }, reason: 'Tried' })).status).toBe(200);
    expect((await callers.asVisitor.get('/config')).body.site.name).toBe(name);
  }
});

test('the form has what its version stands for, though this server has not heard of the change yet', async () => {
  const { settings } = await read();
  Object.assign(site, { name: 'As it was before' });
  expect((await read()).settings).toEqual(settings);
  await loadSettings(context);
  expect(site.name).toBe(settings.name);
});

test('a read that answers late does not bring back what was before', async () => {
  const { promise, resolve } = Promise.withResolvers<object>();
  const stale = { select: () => ({ orderBy: () => ({ limit: () => ({ executeTakeFirst: () => promise }) }) }) };
  vi.spyOn(db, 'selectFrom').mockReturnValueOnce(stale as never);
  const { name } = site;
  const late = loadSettings(context);
  const next = loadSettings(context);
  await Promise.race([next, pause(1_000)]);
  resolve({ version: 1, settings: { name: 'As it was before' } });
  await Promise.all([late, next]);
  expect(site.name).toBe(name);
});

test('only administrators read and change the settings', async () => {
  const member = await given.user();
  expect((await as(member).get('/admin/settings')).status).toBe(403);
  expect((await as(member).put('/admin/settings', { version: 0, reason: 'x', values: { name: 'Mine' } })).status).toBe(403);
  expect((await callers.asVisitor.get('/admin/settings')).status).toBe(401);
});

test('a site with real members keeps addresses that receive email, and its tax numbers', async () => {
  const settings = { ...defaultSite, nzGstNumber: '123-456-789' };
  const real = { ...context, firstSettings: { settings, isReal: true } };
  const { version } = await read();
  const refused = async (values: object, field: string) =>
    expect(changeSettings(real, admin._id, { version, reason: 'x', values })).rejects.toMatchObject({
      fields: [{ field: `values.${field}` }],
    });
  await refused({ supportEmail: 'help@fixers.example' }, 'supportEmail');
  await refused({ senderEmail: 'hello@localhost' }, 'senderEmail');
  await refused({ nzGstNumber: '' }, 'nzGstNumber');
});

test('a new price is for new purchases, on pages and at the provider, and in the table of plans', async () => {
  const seller = await given.user();
  const quoted = async () => (await as(seller).post('/plan-user/create-intent', { planId: given.planId('premium') })).body.amount;
  expect(await quoted()).toBe(2_500);
  expect((await app.inject('/terms')).body).toContain('Premium up to 5');
  expect(await change({ premiumPrice: '29.5', premiumSlots: '6' })).toMatchObject({
    status: 200,
    body: { settings: { premiumPrice: '29.50', premiumSlots: '6' } },
  });
  expect(await quoted()).toBe(2_950);
  const page = (await app.inject('/terms')).body;
  expect(page.replaceAll('<!-- -->', '')).toContain('Premium up to 6');
  // The scripts of the page say the same.
  expect(page).toContain('&quot;premiumPrice&quot;:&quot;29.50&quot;');
  const { body } = await callers.asVisitor.get('/plan/all');
  expect(body.find((plan: { planType: string }) => plan.planType === 'premium')).toMatchObject({ priceMinor: 2_950, slots: 6 });
  const row = await db.selectFrom('plans').select(['price_minor', 'slots']).where('plan_type', '=', 'premium').executeTakeFirst();
  expect(row).toEqual({ price_minor: 2_950, slots: 6 });
  const [entry] = (await as(admin).get('/admin/audit?table=plans&limit=1')).body.entries;
  expect(entry).toMatchObject({ what: 'plans.update', actor: { name: 'Aroha Ngata' }, before: { price_minor: 2_500 } });
  await change({ premiumPrice: '25', premiumSlots: '5' });
});

test('a running plan keeps its slots, and its unused days count at the price it was bought for', async () => {
  const { seller, listing } = await given.published('basic');
  await sql`update subscriptions set starts_at = starts_at - interval '15 days', ends_at = ends_at - interval '15 days' where user_id = ${seller._id}`.execute(
    db,
  );
  const quote = async () =>
    (await as(seller).get(`/plan-user/quote?listingId=${listing._id}&planId=${given.planId('premium')}`)).body.amount;
  const before = await quote();
  await change({ basicPrice: '30', basicSlots: '3' });
  expect(await quote()).toBe(before);
  const { data } = (await as(seller).get('/plan-user/my-subscriptions')).body;
  expect(data.subscriptions[0]).toMatchObject({ slots: 1 });
  await change({ basicPrice: '15', basicSlots: '1' });
});

test.each([
  ['no price', { basicPrice: '' }, 'basicPrice'],
  ['a price below a dollar', { basicPrice: '0.50' }, 'basicPrice'],
  ['a negative price', { featuredPrice: '-5' }, 'featuredPrice'],
  ['a third of a cent', { featuredPrice: '5.333' }, 'featuredPrice'],
  ['no listing', { basicSlots: '0' }, 'basicSlots'],
])('refuses a plan with %s', async (_what, values, field) => {
  expect(await change(values)).toMatchObject({ status: 400, body: { errors: [{ field: `values.${field}` }] } });
});

test('a receipt keeps the supplier it was issued by', async () => {
  const { seller } = await given.published('basic');
  const [before] = (await as(seller).get('/receipt/all')).body.data;
  await change({ legalName: 'Somebody Else Limited' });
  const [after] = (await as(seller).get('/receipt/all')).body.data;
  expect(after.supplier).toEqual(before.supplier);
  expect(after.supplier.name).not.toBe('Somebody Else Limited');
});
