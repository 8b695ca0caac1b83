import { type RawBuilder, sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { findCategory } from '@handwise/contract/listings/categories';
import { findDistrict, regions } from '@handwise/contract/places/regions';
import { site } from '@handwise/contract/site/site';
import { testApp } from '@handwise/sandbox/testing/app';
import { testSite } from '@handwise/sandbox/testing/site';
import { planHooks } from '../../composition/hooks.ts';
import { findProblem } from '../plans/plans.renewals.ts';
import { getSubscription } from '../plans/plans.service.ts';
import { loadSettings } from './site.settings.ts';

const plumbing = findCategory('plumbing')?.code ?? 0;
const { app, db, given, callers, parts } = await testApp({ APP_URL: 'https://tradiepost.nz' }, await testSite());
const { as, asVisitor } = callers;
const admin = await given.administrator();

const read = async () => (await as(admin).get('/admin/settings')).body;
const change = async (values: object) =>
  as(admin).put('/admin/settings', { version: (await read()).version, reason: 'No insurance', values });
const open = async () => void (await change({ closedTrades: '', closedCountries: '' }));
beforeEach(open);

const painting = { serviceCategory: 'Painting', serviceSubCategory: '', licenceAnswer: '' };
/** Under a plan that has room. */
const publish = async (more: Record<string, string> = {}) => {
  const { seller } = await given.published('premium', [], painting);
  return as(seller).postForm('/listing/create', given.listingForm('premium', { isUsingExistingSubscription: 'true', ...more }));
};
const inWords = (problem: string, field: string) => ({ status: 400, body: { errors: [{ field, message: problem }] } });
/** Then what every server does each ten minutes. */
async function endListings(which: RawBuilder<unknown>) {
  await sql`update listings set status = 'inactive' where status = 'active' and ${which}`.execute(db);
  await parts.context.events.catchUp();
  await loadSettings(parts.context);
}
const noPlumbing = 'We take no new listings in Plumbing at the moment';

test('a closed trade takes no new listing, also by an edit; those that run stay, and can be edited', async () => {
  const { seller, listing } = await given.published('basic');
  const painter = await given.published('basic', [], painting);
  expect((await read()).live).toMatchObject({ NZ: 2, plumbing: 1, painting: 1 });
  expect(await change({ closedTrades: 'plumbing' })).toMatchObject({ status: 200, body: { settings: { closedTrades: 'plumbing' } } });

  expect(await publish()).toMatchObject(inWords(noPlumbing, 'serviceCategory'));
  const edit = (who: typeof seller, id: string, form: object) =>
    as(who).putForm(`/listing/${id}`, { ...given.listingForm('basic'), ...form });
  expect((await asVisitor.get(`/listing/${listing._id}`)).status).toBe(200);
  expect(await edit(seller, listing._id, { serviceTitle: 'Drains and more' })).toMatchObject({ status: 200 });
  expect(await edit(painter.seller, painter.listing._id, {})).toMatchObject(inWords(noPlumbing, 'serviceCategory'));
  expect((await read()).history[0]).toMatchObject({
    reason: 'No insurance',
    before: { closedTrades: '' },
    after: { closedTrades: 'plumbing' },
  });

  await open();
  expect((await publish()).status).toBe(201);
});

test('what another version closed stays closed, whatever this one does not know', async () => {
  const closed = JSON.stringify({ closedTrades: 'plumbing, solar-power', closedCountries: 'AU, FJ' });
  await sql`insert into site_settings (reason, before, after, settings) values ('newer', '{}', ${closed}, ${closed})`.execute(db);
  await loadSettings(parts.context);
  expect([site.closedTrades, site.closedCountries]).toEqual(['plumbing', 'AU']);
  expect((await read()).settings).toMatchObject({ closedTrades: 'plumbing', closedCountries: 'AU' });
});

test('a listing that was paid for before its trade and country closed is published', async () => {
  const seller = await given.user();
  const paymentId = await given.payment(seller, 'basic');
  await change({ closedTrades: 'plumbing', closedCountries: 'NZ' });
  expect((await as(seller).postForm('/listing/create', given.listingForm('basic', { paymentId }))).status).toBe(201);
});

test('a listing of a closed trade runs as bought: it can be resumed until its plan ends, and is not sold or renewed again', async () => {
  const { seller, listing } = await given.published('basic');
  const { subscription_id: id } = await db
    .selectFrom('listings')
    .select('subscription_id')
    .where('id', '=', listing._id)
    .executeTakeFirstOrThrow();
  const reactivate = (paymentId?: string) =>
    as(seller).put(`/listing/${listing._id}/reactivate`, { planId: given.planId('basic'), paymentId });
  const problem = async () => {
    const old = await getSubscription(db, id);
    const renewal = { amount_minor: 100_000 } as Parameters<typeof findProblem>[2]['renewal'];
    const card = { exp_month: 12, exp_year: 2099 } as Parameters<typeof findProblem>[2]['card'];
    return db.transaction().execute((tx) => findProblem(tx, planHooks, { old, renewal, card, at: new Date() }));
  };
  expect(await problem()).toBeUndefined();
  await change({ closedTrades: 'plumbing' });
  expect(await problem()).toEqual({ problem: expect.stringContaining('Nothing was charged') });
  const cardId = await given.card(seller);
  expect(await as(seller).put(`/plan-user/${id}/renewal`, { cardId })).toMatchObject({
    status: 409,
    body: { code: 'renewal_not_possible' },
  });
  expect(await as(seller).put(`/listing/${listing._id}/plan`, { planId: given.planId('premium') })).not.toMatchObject({ status: 200 });
  await as(seller).put(`/listing/${listing._id}/deactivate`);
  expect((await reactivate()).status).toBe(200);

  await as(seller).put(`/listing/${listing._id}/deactivate`);
  await sql`update subscriptions set starts_at = starts_at - interval '60 days', ends_at = ends_at - interval '60 days' where id = ${id}`.execute(
    db,
  );
  expect(await reactivate(cardId)).toMatchObject(inWords(noPlumbing, 'planId'));
  expect(await db.selectFrom('payments').select('id').where('purpose', '=', 'reactivation').execute()).toEqual([]);
});

test('a closed trade stays in pages, suggestions, site maps and machine texts until its last listing has ended', async () => {
  const { seller, listing } = await given.published('basic');
  const say = async () => {
    await parts.buildDocuments();
    await parts.context.events.catchUp();
    const mcp = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { accept: 'application/json, text/event-stream' },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'categories', arguments: {} } },
    });
    const { suggestions } = (await asVisitor.get('/search/suggest?q=plum')).body;
    return {
      footer: /<footer.*<\/footer>/s.exec((await app.inject('/terms')).body)?.[0].includes('/services/plumbing') ?? false,
      directory: (await app.inject('/services')).body.includes('href="/services/plumbing"'),
      landing: (await app.inject('/')).body.includes('href="/services/plumbing"'),
      quotes: (await app.inject('/get-quotes')).body.includes('<optgroup label="Plumbing'),
      siteMap: (await app.inject('/sitemaps/pages.xml')).body.includes('/services/plumbing'),
      towns: (await app.inject('/sitemaps/towns-plumbing.xml')).body.includes('<loc>'),
      llms: (await app.inject('/llms.txt')).body.includes('/services/plumbing'),
      mcp: mcp.body.includes('/services/plumbing'),
      suggested: suggestions.some(({ kind, query }: { kind: string; query: string }) => kind === 'category' && query.includes('plumbing')),
    };
  };
  const before = await say();
  expect(Object.values(before)).toEqual(Object.values(before).map(() => true));
  await change({ closedTrades: 'plumbing' });
  expect(await say()).toEqual(before);
  const { listings } = (await asVisitor.get('/search?q=plumber')).body;
  expect(listings.map((one: { _id: string }) => one._id)).toContain(listing._id);

  await endListings(sql`category_code = ${plumbing}`);
  expect(await say()).toEqual(Object.fromEntries(Object.keys(before).map((name) => [name, false])));
  await as(seller).put(`/listing/${listing._id}/reactivate`, {});
  await loadSettings(parts.context);
  expect(await say()).toEqual(before);
});

test('facts know a closed trade, and the directory gives each of the others its own regions', async () => {
  await given.published('basic', [], painting);
  await endListings(sql`category_code = ${plumbing}`);
  await change({ closedTrades: 'plumbing, cleaning', closedCountries: 'AU' });
  const { categories } = (await asVisitor.get('/facts')).body;
  expect(categories.find(({ slug }: { slug: string }) => slug === 'plumbing')).toMatchObject({ name: 'Plumbing' });
  expect((await asVisitor.get('/facts')).body.regions).toHaveLength(regions.length);
  const directory = (await app.inject('/services')).body;
  expect(directory).toContain('href="/services/painting/waikato"');
});

test('a closed country takes no new listing, payment or import, and its places are suggested until its last listing has ended', async () => {
  await given.listing({ district: findDistrict('Sydney')?.district.code ?? 0 });
  await change({ closedCountries: 'AU' });
  const seller = await given.user();
  const noAustralia = 'We take no new listings in Australia at the moment';
  const pay = (country: string) => as(seller).post('/plan-user/create-intent', { planId: given.planId('basic'), country });
  expect(await pay('AU')).toMatchObject(inWords(noAustralia, 'country'));
  expect((await pay('NZ')).status).toBe(201);
  expect(await publish({ location: 'Sydney, New South Wales, Australia' })).toMatchObject({ status: 400 });
  const say = async () => {
    await parts.buildDocuments();
    return {
      where: JSON.stringify((await asVisitor.get('/search/suggest?where=Sydney')).body).includes('New South Wales'),
      // Most places that begin so are Australian.
      newZealand: JSON.stringify((await asVisitor.get('/search/suggest?q=wel')).body).includes('Wellington'),
      llms: (await app.inject('/llms.txt')).body.includes(' and Australia'),
    };
  };
  expect(await say()).toEqual({ where: true, newZealand: true, llms: true });
  await endListings(sql`country = 'AU'`);
  expect(await say()).toEqual({ where: false, newZealand: true, llms: false });
  await open();
  expect(await say()).toEqual({ where: true, newZealand: true, llms: true });
});

test.each([
  ['an unknown trade', { closedTrades: 'wizardry' }, 'values.closedTrades'],
  ['the last country', { closedCountries: 'AU, NZ' }, 'values.closedCountries'],
  [
    'the last trade',
    {
      closedTrades:
        'cleaning, home-improvement, alarm-security, building-construction, electrical-gas, plumbing, roofing, painting, window-glazing, concrete-driveways, landscape-lawn-maintenance, handyman',
    },
    'values.closedTrades',
  ],
])('does not close %s', async (_what, values, field) => {
  expect(await change(values)).toMatchObject({ status: 400, body: { errors: [{ field }] } });
  expect((await read()).settings).toMatchObject({ closedTrades: '', closedCountries: '' });
});
