import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { dayMs, formatDate } from '@handwise/contract/dates';
import { testApp } from '@handwise/sandbox/testing/app';
import { failingMailsTo } from '@handwise/sandbox/testing/failing-mails';
import { type Seller, cards, renewalFixtures } from '@handwise/sandbox/testing/renewals';
import { times } from '@handwise/sandbox/testing/times';
import { planHooks } from '../../composition/hooks.ts';
import { createMailSources } from '../../composition/job-handlers.ts';
import { reconcilePayments } from '../payments/payments.service.ts';
import { expireListings, warnOfExpiry } from '../selling/selling.jobs.ts';
import { announceRenewals } from './plans.renewals.notices.ts';

const app = await testApp({}, null, { proxied: true });
const { db } = app;
const { as } = app.callers;
const { stripe } = app.sandbox;
const { mails } = app.outbox;
const { clock, context, payments } = app.parts;
const fixtures = renewalFixtures(app);
const {
  announce,
  announceTo,
  charge,
  deliver,
  expectBalancedBooks,
  find,
  money,
  newSubjects,
  queueNotices,
  seller,
  switchOff,
  switchOn,
  wait,
} = fixtures;

afterEach(() => clock.set(new Date()));

const notice = expect.stringMatching(/^Your Premium plan renews on .* for \$25\.00 NZD$/);
const notCharged = 'The renewal of your Premium plan on Handwise was not charged';
const notRenewed = 'Your Premium plan on Handwise has ended and was not renewed';
const nothing = { taken: [], back: 0 };
const once = { taken: [2500], back: 0 };
const lastMail = async ({ user }: Seller) => JSON.stringify((await mails()).findLast(({ to }) => to === user.email));

/** The jobs of a worker that is there again, the charge first. */
async function wakeUp() {
  await charge();
  await expireListings(context);
  await warnOfExpiry(context);
  await announce();
  await charge();
}

test('a worker that was away from before the notice until two days before the end charges none of ten renewals', async () => {
  const sellers = await times(10, () => seller());
  for (const one of sellers) await switchOn(one);
  const [one] = sellers;
  if (!one) throw new Error('there are ten');
  wait(one, 1.99);
  expect(await newSubjects(one.user, wakeUp)).toEqual([notCharged]);
  const mail = await lastMail(one);
  expect(mail).toContain('We could not tell you about the charge in time. Nothing was charged.');
  expect(mail).toContain('We don’t try again by ourselves.');
  for (const daysLeft of [1, 0.5, 0]) {
    wait(one, daysLeft);
    await wakeUp();
  }
  for (const { user } of sellers) expect(await money(user)).toEqual(nothing);
  await expectBalancedBooks();
});

test('too late to be announced, pays in one tap while the plan runs, and is said to have ended by no second email', async () => {
  const [one, other] = [await seller(), await seller()];
  for (const each of [one, other]) await switchOn(each);
  wait(one, 1.9);
  await wakeUp();
  expect(await find(one)).toMatchObject({ renewal: { state: 'failed', nextChargeAt: null } });
  expect(await switchOn(one)).toMatchObject({ status: 200, body: { status: 'done', message: 'Your plan is renewed' } });
  expect(await money(one.user)).toEqual(once);
  clock.set(new Date(other.endsAt.getTime() + dayMs));
  expect(await newSubjects(other.user, wakeUp)).toEqual(['Your listing on Handwise has ended']);
  expect(await money(other.user)).toEqual(nothing);
  await expectBalancedBooks();
});

test('a notice that is late is sent at once, and the charge follows it by 48 hours', async () => {
  const one = await seller();
  await switchOn(one);
  wait(one, 2.5);
  expect(await newSubjects(one.user, wakeUp)).toEqual([notice]);
  const chargeAt = new Date(one.endsAt.getTime() - 0.5 * dayMs);
  expect(await lastMail(one)).toContain(`renews on ${formatDate(chargeAt, 'Pacific/Auckland')}`);
  expect(Math.abs(Date.parse((await find(one)).renewal.nextChargeAt) - chargeAt.getTime())).toBeLessThan(60_000);
  wait(one, 0.51);
  await charge();
  expect(await money(one.user)).toEqual(nothing);
  wait(one, 0.49);
  await charge();
  expect(await money(one.user)).toEqual(once);
  await expectBalancedBooks();
});

test('announces and ends all that are due, also more than one batch holds', async () => {
  const all = await times(3, () => seller());
  for (const one of all) await switchOn(one);
  const added = async (work: () => Promise<unknown>) => {
    const before = await Promise.all(all.map(({ user }) => fixtures.subjects(user)));
    await work();
    const after = await Promise.all(all.map(({ user }) => fixtures.subjects(user)));
    return after.map((subjects, at) => subjects.slice(before[at]?.length));
  };
  const [last] = all.toSorted((a, b) => b.endsAt.getTime() - a.endsAt.getTime());
  if (!last) throw new Error('there are three');
  wait(last, 6);
  expect(await added(() => announceRenewals({ context, hooks: planHooks }, 1))).toEqual([[notice], [notice], [notice]]);
  clock.set(new Date(last.endsAt.getTime() + dayMs));
  expect(await added(() => announceRenewals({ context, hooks: planHooks }, 1))).toEqual([[notRenewed], [notRenewed], [notRenewed]]);
});

test('a renewal that cannot be announced or ended keeps no other from it, and is tried again', async () => {
  const [broken, whole] = [await seller(), await seller()];
  for (const one of [broken, whole]) await switchOn(one);
  const failing = async (batch?: number) => {
    await expect(announceRenewals({ context: failingMailsTo(context, broken.user), hooks: planHooks }, batch)).rejects.toThrow(
      '1 renewals could not be',
    );
  };
  wait(whole, 6);
  // A batch in which all fail is the last of its run.
  await failing(1);
  expect(await newSubjects(whole.user, failing)).toEqual([notice]);
  expect(await newSubjects(broken.user, queueNotices)).toEqual([notice]);
  clock.set(new Date(whole.endsAt.getTime() + dayMs));
  expect(await newSubjects(whole.user, failing)).toEqual([notRenewed]);
  expect(await newSubjects(broken.user, queueNotices)).toEqual([notRenewed]);
});

test('while the mail server is down nothing is charged; the notice says the new date when it goes out', async () => {
  const one = await seller();
  await switchOn(one);
  wait(one, 6);
  expect(await newSubjects(one.user, queueNotices)).toEqual([notice]);
  for (const daysLeft of [3, 2.7]) {
    wait(one, daysLeft);
    await queueNotices();
    await charge();
  }
  expect(await money(one.user)).toEqual(nothing);
  const sent = await createMailSources(context).renewal.compose(one.id);
  expect(JSON.stringify(sent)).toContain(`renews on ${formatDate(new Date(one.endsAt.getTime() - 0.7 * dayMs), 'Pacific/Auckland')}`);
  await deliver();
  wait(one, 0.71);
  await charge();
  expect(await money(one.user)).toEqual(nothing);
  wait(one, 0.69);
  await charge();
  expect(await money(one.user)).toEqual(once);
});

test('a notice that went out in time leaves the day of the charge as it was', async () => {
  const one = await seller();
  await switchOn(one);
  wait(one, 6);
  await queueNotices();
  wait(one, 5.1);
  await deliver();
  expect((await find(one)).renewal.nextChargeAt).toBe(new Date(one.endsAt.getTime() - 3 * dayMs).toISOString());
});

test('a notice that the mail server never took is replaced by the news that nothing was charged', async () => {
  const one = await seller();
  await switchOn(one);
  wait(one, 6);
  await queueNotices();
  wait(one, 1.99);
  expect(await newSubjects(one.user, queueNotices)).toEqual([notCharged]);
  expect(await newSubjects(one.user, queueNotices)).toEqual([]);
  const { compose } = createMailSources(context).renewal;
  // Both emails wait, and both now say the same.
  expect(await compose(one.id)).toMatchObject({ subject: notCharged });
  clock.set(new Date(one.endsAt.getTime() + dayMs));
  expect(await compose(one.id)).toBeNull();
  // Neither went out before the plan ended.
  expect(await newSubjects(one.user, wakeUp)).toEqual([notRenewed]);
  expect(await money(one.user)).toEqual(nothing);
});

test('drops a waiting notice when the renewal was switched off, charged at once, or its account suspended', async () => {
  const { compose, noteSent } = createMailSources(context).renewal;
  const [off, suspended, free] = [await seller(), await seller(), await seller()];
  for (const one of [off, suspended, free]) await switchOn(one);
  wait(off, 6);
  await queueNotices();
  await switchOff(off);
  await sql`update users set suspended_at = now() where id = ${suspended.user._id}`.execute(db);
  for (const { id } of [off, suspended]) expect(await compose(id)).toBeNull();
  expect(await compose(free.id)).toMatchObject({ to: free.user.email });
  await noteSent(free.id);
  await noteSent(off.id);
  for (const { id } of [free, off]) expect(await compose(id)).toBeNull();
});

test('agreed to late, is charged a day after its confirmation went out, and not without it', async () => {
  const [one, silent] = [await seller(), await seller()];
  wait(one, 2.5);
  const unsent = ({ user, id, cardId }: Seller) => as(user).put(`/plan-user/${id}/renewal`, { cardId });
  for (const each of [one, silent]) expect((await unsent(each)).status).toBe(200);
  wait(one, 1.4);
  await charge();
  expect(await money(one.user)).toEqual(nothing);
  const { renewal } = createMailSources(context);
  expect(await renewal.compose(one.id)).toMatchObject({ subject: 'Renewal switched on: your Premium plan on Handwise' });
  await renewal.noteSent(one.id);
  wait(one, 0.41);
  await charge();
  expect(await money(one.user)).toEqual(nothing);
  wait(one, 0.39);
  expect(await newSubjects(silent.user, wakeUp)).toEqual([notCharged]);
  expect([await money(one.user), await money(silent.user)]).toEqual([once, nothing]);
});

test('asleep for three months: what was not renewed is said once, with a way to pay, and nothing is charged', async () => {
  const [announced, unannounced, declined] = [await seller(), await seller(), await seller({ card: cards.declined })];
  for (const one of [announced, declined]) await switchOn(one);
  await announceTo(declined);
  // The mail server never has its confirmation.
  await as(unannounced.user).put(`/plan-user/${unannounced.id}/renewal`, { cardId: unannounced.cardId });
  wait(declined, 3.01);
  await sql`update renewals set charge_at = ${clock.now()} where subscription_id = ${declined.id}`.execute(db);
  // Declined once, with two more attempts to come.
  expect(await newSubjects(declined.user, charge)).toEqual([notCharged]);

  clock.set(new Date(declined.endsAt.getTime() + 90 * dayMs));
  const before = (await mails()).length;
  await wakeUp();
  await wakeUp();
  const said = (await mails()).slice(before);
  for (const [one, reason] of [
    [announced, 'We could not charge your card in time. Nothing was charged.'],
    [unannounced, 'We could not tell you about the charge in time. Nothing was charged.'],
    [declined, 'Your card was declined. Nothing was charged.'],
  ] as const) {
    const { id: listingId } = await db.selectFrom('listings').select('id').where('seller_id', '=', one.user._id).executeTakeFirstOrThrow();
    const own = said.filter(({ to }) => to === one.user.email);
    expect(own.map(({ subject }) => subject)).toEqual([notRenewed]);
    const mail = own.find(({ subject }) => subject === notRenewed);
    expect(JSON.stringify(mail?.blocks)).toContain(reason);
    const url = `http://localhost:3000/reactivateListing/${listingId}?step=2`;
    expect(mail?.blocks).toContainEqual({ kind: 'button', label: 'Renew for $25.00 NZD', url });
    expect((await money(one.user)).taken).toEqual([]);
    const renewal = db.selectFrom('renewals').select('status').where('subscription_id', '=', one.id);
    expect(await renewal.executeTakeFirstOrThrow()).toEqual({ status: 'ended' });
  }
  await expectBalancedBooks();
});

test.each([
  ['the listings end first', [() => expireListings(context), announce]],
  ['the renewal is closed first', [announce, () => expireListings(context)]],
] as const)('a lapsed renewal is one email, and its listings end, if %s', async (_, jobs) => {
  const [one, off] = [await seller(), await seller()];
  for (const each of [one, off]) await switchOn(each);
  await switchOff(off);
  clock.set(new Date(one.endsAt.getTime() + dayMs));
  const said = await Promise.all([one, off].map(({ user }) => fixtures.subjects(user)));
  for (const job of [...jobs, ...jobs]) await job();
  const added = async ({ user }: typeof one, at: number) => (await fixtures.subjects(user)).slice(said[at]?.length);
  expect([await added(one, 0), await added(off, 1)]).toEqual([[notRenewed], ['Your listing on Handwise has ended']]);
  const statuses = db.selectFrom('listings').select('status').where('seller_id', 'in', [one.user._id, off.user._id]);
  expect(await statuses.execute()).toEqual([{ status: 'expired' }, { status: 'expired' }]);
});

test('says that money comes back if the bank still decides when the plan ends', async () => {
  const one = await seller({ card: cards.processes });
  await switchOn(one);
  await announceTo(one);
  wait(one, 3);
  await charge();
  clock.set(new Date(one.endsAt.getTime() + dayMs));
  expect(await newSubjects(one.user, announce)).toEqual([notRenewed]);
  expect(await lastMail(one)).toContain('If it still does, you get the money back.');
  stripe.control.settle();
  await reconcilePayments(payments, true);
  await app.outbox.runJobs();
  expect(await money(one.user)).toEqual({ taken: [2500], back: 2500 });
  await expectBalancedBooks();
});
