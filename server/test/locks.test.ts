import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { webhookSender } from '@handwise/sandbox/testing/provider';
import { times } from '@handwise/sandbox/testing/times';
import { runAudits } from '../src/composition/audit.ts';
import { registerHooks } from '../src/composition/hooks.ts';
import { reconcilePayments, syncIntent } from '../src/domains/payments/payments.service.ts';
import { checkRegister } from '../src/domains/registers/registers.service.ts';
import { markAnswersWithinDay, saveCategoryMean, updateGroupMeans } from '../src/domains/search/search.jobs.queries.ts';
import { expireListings, warnOfExpiry } from '../src/domains/selling/selling.jobs.ts';

const { app, db, given, callers, sandbox, outbox, parts } = await testApp();
const send = webhookSender({ app, sandbox, parts });
const { provider, stripe } = sandbox;
const { as, from } = callers;
const { context, payments } = parts;

type User = Awaited<ReturnType<typeof given.user>>;

const districts = [101, 306, 1403] as const;
const places = ['Far North, Northland, New Zealand', 'Taupō, Waikato, New Zealand', 'Dunedin, Otago, New Zealand'];

/** A seller with a card and an active, an inactive and an expired listing under one plan. */
async function seller() {
  const user = await given.user();
  const first = await given.listing({ sellerId: user._id, plan: 'premium', district: districts[0] });
  const { subscription_id: subscriptionId } = await db
    .selectFrom('listings')
    .select('subscription_id')
    .where('id', '=', first.id)
    .executeTakeFirstOrThrow();
  const off = await given.listing({ subscriptionId, plan: 'premium', district: districts[1], status: 'inactive' });
  const ended = await given.listing({ subscriptionId, plan: 'premium', district: districts[2], status: 'expired' });
  return { user, ids: [first.id, off.id, ended.id], card: await given.card(user) };
}

const edited = (turn: number) => {
  const {
    submissionId: _,
    servicePlan: __,
    ...form
  } = given.listingForm('premium', {
    serviceTitle: ['Plumber and roofer', 'Roofer and painter', 'Painter and plumber'][turn % 3] ?? '',
    location: places[turn % 3] ?? '',
  });
  return form;
};

/** Concurrent refunds by administrators, the provider and the bank. */
async function refundConcurrently(admin: User, user: User) {
  const rows = await db
    .selectFrom('payments')
    .select(['id', 'intent_id'])
    .where('user_id', '=', user._id)
    .where('status', '=', 'succeeded')
    .execute();
  await Promise.all(
    rows.flatMap(({ id, intent_id: intent }) => {
      const refund = (form: object) => as(admin).post(`/admin/payment/${id}/refund`, { reason: 'So.', requestId: randomUUID(), ...form });
      const byHand = async () => {
        const made = await provider.refunds.create({ payment_intent: intent ?? '', amount: 200 }).catch(() => null);
        if (made) await send('refund.created', made);
      };
      const dispute = async () => {
        const { id: disputeId } = stripe.control.openDispute(intent ?? '', { amount: 100 });
        await send('charge.dispute.created', { id: disputeId });
        stripe.control.endDispute(disputeId, 'lost');
        await send('charge.dispute.closed', { id: disputeId });
      };
      return [refund({ amountMinor: 100 }), refund({ fraud: true }), byHand(), dispute().catch(() => {}), outbox.runJobs()];
    }),
  );
}

let registered = 0;
/** A referred member with a confirmed address. */
async function referredBy({ referralCode }: User) {
  registered += 1;
  const name = `came_${registered}`;
  const form = { fullName: 'Tama Rua', username: name, email: `${name}@example.org`, password: 'correct-horse', referralCode };
  const { status, body } = await from(`198.51.100.${registered}`).post('/auth/register', form);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return given.confirmed(body.data);
}

/**
 * Work besides that of sellers that changes counters and tickets: first publications of users whose referrer deletes their account at that moment,
 * moderation, reviews, register checks and nightly jobs.
 */
async function others(admin: User, sellers: readonly { user: User; ids: string[] }[], turn: number) {
  const referrer = await given.member();
  const [referred, held, reviewer] = [await referredBy(referrer), await referredBy(referrer), await given.member()];
  const { id: referralId } = await db
    .updateTable('referrals')
    .set({ status: 'held', held_because: 'So.', held_at: new Date(), held_until: new Date(Date.now() + 86_400_000) })
    .where('referred_id', '=', held._id)
    .returning('id')
    .executeTakeFirstOrThrow();
  await given.listing({ sellerId: referrer._id, plan: 'basic', district: districts[turn % 3] ?? 306 });
  await saveCategoryMean(db, 6, 30 + turn, new Date());
  const of = sellers[turn % 3];
  const id = of?.ids[0] ?? '';
  const decide = (decision: string) =>
    as(admin).post('/admin/decisions', { kind: 'listing', id, decision, reason: 'It breaks our rules.' });
  const review = async () => {
    const { body } = await as(reviewer).post('/review/create', { listingId: of?.ids[1], rating: 5, comment: 'Tidy work.' });
    return as(reviewer).put(`/review/${body._id}`, { rating: 1, comment: 'They came back, and it was worse.' });
  };
  return () => ({
    answers: [
      ...[referred, held].map((user) =>
        as(user).postForm('/listing/create', given.listingForm('basic', { location: places[turn % 3] ?? '' })),
      ),
      as(referrer).delete('/auth/account', { currentPassword: 'correct-horse' }),
      as(admin).post(`/admin/referrals/${referralId}/decide`, { approve: true, reason: 'So.' }),
      decide('hide_listing').then(({ body }) => as(admin).post(`/admin/decisions/${body._id}/undo`, { reason: 'We were wrong.' })),
      review(),
    ],
    work: [
      checkRegister({ context, hooks: registerHooks }, id),
      updateGroupMeans(db, 0, 1_000_000),
      markAnswersWithinDay(db, of ? [of.user._id] : [], turn % 2 === 0),
    ],
  });
}

test('concurrent work of sellers, account deletions, moderators, banks and jobs never deadlocks', async () => {
  const sellers = await times(3, seller);
  const admin = await given.administrator();
  await as(admin).post('/auth/confirm-identity', { password: 'correct-horse' });
  const plans = ['basic', 'premium', 'featured'] as const;
  const statuses: number[] = [];
  const recordStatus = async (answer: Promise<{ status: number }>) => void statuses.push((await answer).status);
  const publish = (user: User, more: Record<string, string>) =>
    recordStatus(as(user).postForm('/listing/create', given.listingForm('premium', more)));
  const bought = async (user: User, turn: number) => {
    // None if there is a free slot or a running bank request.
    const paymentId = await given.payment(user, 'premium').catch(() => null);
    if (paymentId === null) return publish(user, { isUsingExistingSubscription: 'true' });
    await Promise.all([syncIntent(payments, paymentId), publish(user, { paymentId, location: places[turn % 3] ?? '' })]);
  };
  const ofSeller = ({ user, ids, card }: { user: User; ids: string[]; card: string }, turn: number) => [
    ...ids.flatMap((id, at) => [
      recordStatus(as(user).putForm(`/listing/${id}`, edited(turn + at))),
      recordStatus(as(user).put(`/listing/${id}/deactivate`)),
      recordStatus(as(user).put(`/listing/${id}/reactivate`, { planId: given.planId('premium'), paymentId: card })),
      recordStatus(as(user).put(`/listing/${id}/plan`, { planId: given.planId(plans[(turn + at) % 3] ?? 'premium'), paymentId: card })),
    ]),
    bought(user, turn),
  ];
  for (let turn = 0; turn < 3; turn += 1) {
    // Some plans end now, so that scheduled jobs and sellers' work overlap.
    await sql`with ended as (
        update subscriptions set ends_at = greatest(now(), starts_at + interval '1 second')
        where user_id = ${sellers[turn % 3]?.user._id ?? ''} and ends_at > now() returning id, ends_at
      )
      update listings set subscription_ends_at = ended.ends_at from ended where subscription_id = ended.id`.execute(db);
    const { answers, work } = (await others(admin, sellers, turn))();
    await Promise.all([
      ...sellers.flatMap((one) => ofSeller(one, turn)),
      ...answers.map(recordStatus),
      ...work,
      ...[1, 2].map(() => expireListings(context)),
      warnOfExpiry(context),
      ...(turn % 2 === 1 ? sellers.map(({ user }) => refundConcurrently(admin, user)) : []),
      reconcilePayments(payments, true),
      outbox.runJobs(),
    ]);
  }
  expect(statuses.length).toBeGreaterThan(100);
  const left = db.selectFrom('users').select('id').where('deleted_at', 'is not', null);
  const converted = db.selectFrom('referrals').select('id').where('status', '=', 'converted');
  const decisions = db.selectFrom('decisions').select('id').where('kind', 'in', ['hide_listing', 'show_listing']);
  expect(await left.execute()).toHaveLength(3);
  expect((await converted.execute()).length).toBeGreaterThanOrEqual(3);
  expect((await decisions.execute()).length).toBeGreaterThanOrEqual(2);
  expect(statuses.filter((status) => status === 500)).toEqual([]);
  expect(parts.logged.filter((line) => line.includes('40P01'))).toEqual([]);
  await reconcilePayments(payments, true);
  await outbox.runJobs();
  expect(await db.selectFrom('adjustment_notes').select('id').execute()).not.toEqual([]);
  expect((await runAudits(db)).flatMap(({ name, faults }) => faults.map(({ fault }) => `${name}: ${fault}`))).toEqual([]);
});
