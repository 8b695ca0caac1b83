import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { categories } from '@handwise/contract/listings/categories';
import { site } from '@handwise/contract/site/site';
import { testApp } from '@handwise/sandbox/testing/app';
import { type Seller, renewalFixtures } from '@handwise/sandbox/testing/renewals';
import { createMailSources } from '../../composition/job-handlers.ts';
import { expireListings, warnOfExpiry } from '../selling/selling.jobs.ts';

const app = await testApp({}, null, { proxied: true });
const { db, given } = app;
const { as } = app.callers;
const { clock, context } = app.parts;
const { mails } = app.outbox;
const { announce, announceTo, charge, deliver, find, following, money, queueNotices, seller, switchOff, switchOn, wait } =
  renewalFixtures(app);

const close = (closedTrades: string) => void Object.assign(site, { closedTrades });
beforeEach(() => close(''));
afterEach(() => clock.set(new Date()));

const painting = categories.find(({ slug }) => slug === 'painting')?.code ?? 0;
const nothing = { taken: [], back: 0 };
const closedProblem = 'We take no more listings of this trade or in this country.';
const lastMail = async ({ user }: Seller) => JSON.stringify((await mails()).findLast(({ to }) => to === user.email));

/** A plumber's plan that also covers a painter. */
async function mixed() {
  const one = await seller();
  const { id: painter } = await given.listing({ sellerId: one.user._id, subscriptionId: one.id, plan: 'premium', category: painting });
  const rows = await db.selectFrom('listings').select(['id', 'category_code']).where('subscription_id', '=', one.id).execute();
  const plumber = rows.find(({ category_code: code }) => code !== painting)?.id ?? '';
  return { ...one, painter, plumber };
}
const setStatus = (id: string, status: 'hidden' | 'inactive') =>
  db
    .updateTable('listings')
    .set({ status, hidden_from: status === 'hidden' ? 'active' : null })
    .where('id', '=', id)
    .execute();
const subscriptionsOf = async (ids: string[]) =>
  (await db.selectFrom('listings').select('subscription_id').where('id', 'in', ids).execute()).map((row) => row.subscription_id);

test.each(['active', 'inactive'] as const)('a plan renews with all its listings while an open one is %s', async (status) => {
  const one = await mixed();
  if (status === 'inactive') await setStatus(one.painter, status);
  close('plumbing');
  expect((await switchOn(one)).status).toBe(200);
  await announceTo(one);
  wait(one, 0.1);
  await charge();
  expect(await money(one.user)).toEqual({ taken: [2500], back: 0 });
  const next = await following(one);
  expect(await subscriptionsOf([one.plumber, one.painter])).toEqual([next._id, next._id]);
});

test('a hidden listing of an open trade renews no plan of a closed one, and changes none', async () => {
  const one = await mixed();
  await switchOn(one);
  await setStatus(one.painter, 'hidden');
  close('plumbing');
  await announceTo(one);
  expect(await lastMail(one)).toContain(`${closedProblem} Nothing was charged.`);
  wait(one, 0.1);
  await charge();
  expect(await money(one.user)).toEqual(nothing);
  expect(await subscriptionsOf([one.plumber])).toEqual([one.id]);
  clock.set(new Date());
  expect(await switchOn(one)).toMatchObject({ status: 409, body: { code: 'renewal_not_possible' } });
  const change = { planId: given.planId('featured'), paymentId: one.cardId };
  expect(await as(one.user).put(`/listing/${one.plumber}/plan`, change)).toMatchObject({ status: 400 });
  expect(await money(one.user)).toEqual(nothing);
});

test.each(['plumber', 'painter'] as const)('a mixed plan changes from its %s, with all its listings', async (through) => {
  const one = await mixed();
  close('plumbing');
  const change = { planId: given.planId('featured'), paymentId: one.cardId };
  expect(await as(one.user).put(`/listing/${one[through]}/plan`, change)).toMatchObject({ status: 200 });
  const [first, second] = await subscriptionsOf([one.plumber, one.painter]);
  expect(first).not.toBe(one.id);
  expect(second).toBe(first);
});

test('a change that costs nothing is made in a closed trade; one that costs has no price and is not charged', async () => {
  const one = await seller({ plan: 'featured', paid: true });
  const [{ id: listing } = { id: '' }] = await db.selectFrom('listings').select('id').where('subscription_id', '=', one.id).execute();
  close('plumbing');
  const noPlumbing = { status: 400, body: { errors: [{ field: 'planId', message: 'We take no new listings in Plumbing at the moment' }] } };
  const price = (plan: 'basic' | 'featured') => as(one.user).get(`/plan-user/quote?listingId=${listing}&planId=${given.planId(plan)}`);
  const change = (plan: 'basic' | 'featured') =>
    as(one.user).put(`/listing/${listing}/plan`, { planId: given.planId(plan), paymentId: plan === 'featured' ? one.cardId : null });
  expect(await price('basic')).toMatchObject({ status: 200, body: { amount: 0 } });
  expect((await change('basic')).status).toBe(200);
  expect(await price('featured')).toMatchObject(noPlumbing);
  expect(await change('featured')).toMatchObject(noPlumbing);
  await as(one.user).put(`/listing/${listing}/deactivate`);
  expect(await price('basic')).toMatchObject({ status: 200, body: { amount: 0 } });
  await sql`update subscriptions set starts_at = starts_at - interval '60 days', ends_at = ends_at - interval '60 days'
    where user_id = ${one.user._id} and ends_at > now()`.execute(db);
  expect(await price('basic')).toMatchObject(noPlumbing);
});

test('a trade that closes after the notice was queued is said by it, and no charge is announced', async () => {
  const one = await seller();
  await switchOn(one);
  wait(one, 6);
  await queueNotices();
  close('plumbing');
  const mail = JSON.stringify(await createMailSources(context).renewal.compose(one.id));
  expect(mail).toContain(closedProblem);
  expect(mail).toContain('Open My Listings');
  expect(mail).not.toMatch(/Renew for|Pay \$|renews on|unless you|Add a card/);
  await deliver();
  close('');
  await announce();
  expect(await find(one)).toMatchObject({ renewal: { state: 'on' } });
});

test('emails about the end of a plan offer what can be had: a closed trade neither renewal nor reactivation', async () => {
  const promise = /reactivate|Renew (now|for)|Choose a plan/i;
  const [lapsed, off, ending] = [await seller(), await seller(), await seller()];
  await switchOn(lapsed);
  await switchOn(off);
  close('plumbing');
  await switchOff(off);
  expect(await lastMail(off)).toContain('everything is kept.');
  expect(await lastMail(off)).not.toMatch(promise);
  wait(ending, 6);
  await warnOfExpiry(context);
  expect(await lastMail(ending)).toContain('it cannot be started again');
  expect(await lastMail(ending)).not.toMatch(promise);
  wait(ending, -1);
  await announce();
  await expireListings(context);
  expect(await lastMail(ending)).toContain('has ended');
  expect(await lastMail(ending)).not.toMatch(promise);
  expect(await lastMail(lapsed)).toContain('has ended and was not renewed');
  expect(await lastMail(lapsed)).not.toMatch(promise);
});

test('emails about the end of a mixed plan offer its open listing alone', async () => {
  const one = await mixed();
  close('plumbing');
  wait(one, -1);
  await expireListings(context);
  const mail = await lastMail(one);
  expect(mail).toContain(`/reactivateListing/${one.painter}`);
  expect(mail).not.toContain(`/reactivateListing/${one.plumber}`);
});
