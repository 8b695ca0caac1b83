import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { deviceHeader } from '@handwise/contract/call';
import { addDays, getDay } from '@handwise/contract/dates';
import type { InvitationDraft } from '@handwise/contract/invitations/calls';
import { invitationReminderDays } from '@handwise/contract/invitations/words';
import { testApp } from '@handwise/sandbox/testing/app';
import { openLockOrder, type Pair } from '@handwise/sandbox/testing/lock-order';
import { untilLockWaits } from '@handwise/sandbox/testing/lock-waits';
import { times } from '@handwise/sandbox/testing/times';
import { registerHooks, referralHooks, planHooks } from '../src/composition/hooks.ts';
import { closeDueDraws, completeDueDraws } from '../src/domains/draws/draws.service.ts';
import { insertRefusal } from '../src/domains/invitations/invitations.queries.ts';
import { expireInvitations, remindOfInvitations } from '../src/domains/invitations/invitations.service.ts';
import { syncIntent } from '../src/domains/payments/payments.service.ts';
import { announceRenewals } from '../src/domains/plans/plans.renewals.notices.ts';
import { findRenewal } from '../src/domains/plans/plans.renewals.queries.ts';
import { chargeRenewal } from '../src/domains/plans/plans.renewals.ts';
import { expireQuotes, remindOfQuotes } from '../src/domains/quotes/quotes.service.ts';
import { decideDueReferrals } from '../src/domains/referrals/referrals.decide.ts';
import { checkRegister } from '../src/domains/registers/registers.service.ts';
import { markAnswersWithinDay, saveCategoryMean, updateGroupMeans } from '../src/domains/search/search.jobs.queries.ts';
import { expireListings } from '../src/domains/selling/selling.jobs.ts';
import { issueTickets } from '../src/domains/tickets/tickets.service.ts';
import { remindOfVisits } from '../src/domains/visits/visits.service.ts';
import { createToken, hashToken } from '../src/kit/secrets/tokens.ts';

const { db, given, callers, registers, parts } = await testApp();
const { as, asVisitor, from } = callers;
const { context, payments, clock } = parts;

type User = Awaited<ReturnType<typeof given.user>>;
type Answer = { status: number; body: unknown };
type Work = () => Promise<unknown>;

/** In the order of docs/payments.md. */
const order = [
  'users',
  'payments',
  'reviews',
  'listings',
  'subscriptions',
  'availability_reminders',
  'register_checks',
  'category_ratings',
  'renewals',
  'conversations',
  'quotes',
  'visits',
  'invitations',
  'referrals',
  'draw_periods',
  'user_event_counters',
  'adjustment_numbers',
  'audit_head',
] as const;
const placeOf = (table: string) => (order as readonly string[]).indexOf(table);

const lockOrderOf = await openLockOrder(db, order);

let made = 0;
/** A member with a confirmed address, optionally referred by a code and with another user's browser. */
async function newMember(referralCode?: string, device = ''): Promise<User & { device: string }> {
  made += 1;
  const name = `comer_${made}`;
  const form = { fullName: 'Tama Rua', username: name, email: `tama@comer${made}.example`, password: 'correct-horse', referralCode };
  const headers: Record<string, string> = device === '' ? {} : { [deviceHeader]: device };
  const { status, body } = await from(`20.${made}.3.4`, headers).post('/auth/register', form);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { ...(await given.confirmed(body.data)), device: body.device };
}
const answered = async (answer: Promise<Answer>) => {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(JSON.stringify(body));
};

// The leavers' ids precede the administrator's, so that locking administrators first would be out of order.
const leaver = { referrer: await newMember(), user: await newMember() };
const admin = await given.administrator();
await as(admin).post('/auth/confirm-identity', { password: 'correct-horse' });
const places = { location: 'Taupō, Waikato, New Zealand', base: 'Taupō', serviceDistricts: 'Taupō' };
const elsewhere = {
  serviceTitle: 'Painter',
  serviceCategory: 'Painting',
  location: 'Dunedin, Otago, New Zealand',
  base: 'Dunedin',
  serviceDistricts: 'Dunedin',
};
const formOf = (plan: 'basic' | 'premium' | 'featured', more: Record<string, string> = {}) =>
  given.listingForm(plan, { ...places, ...more });
const publish = (user: User, plan: 'basic' | 'premium' | 'featured', more: Record<string, string> = {}) =>
  as(user).postForm('/listing/create', formOf(plan, more));
const edit = (user: User, id: string, more: Record<string, string>) => {
  const { submissionId: _, servicePlan: __, ...form } = formOf('basic', more);
  return as(user).putForm(`/listing/${id}`, form);
};

const bare = async (user: User, plan: 'basic' | 'premium' = 'basic', more: object = {}) =>
  (await given.listing({ sellerId: user._id, plan, services: ['Leaks', 'Hot water'], ...more })).id;
const leave = (user: User) => answered(as(user).delete('/auth/account', { currentPassword: 'correct-horse' }));
const row = (id: string) => db.selectFrom('listings').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const decide = (kind: string, id: string, decision: string, more: object = {}) =>
  as(admin).post('/admin/decisions', { kind, id, decision, reason: 'It breaks our rules.', ...more });

// Counter rows exist already, because only existing rows can be locked.
for (const more of [{}, elsewhere])
  for (const plan of ['basic', 'premium', 'featured'] as const) await given.published(plan, [], { ...places, ...more });

/** A referred seller about to publish for the first time with the free month. */
async function referred() {
  const referrer = await newMember();
  return { referrer, user: await newMember(referrer.referralCode) };
}
/** A user with a held referral who has paid for a listing. */
async function held({ referrer, user }: Awaited<ReturnType<typeof referred>>) {
  const until = new Date(clock.now().getTime() + 86_400_000);
  const { id: referralId } = await db
    .updateTable('referrals')
    .set({ status: 'held', held_because: 'Looked at.', held_at: clock.now(), held_until: until })
    .where('referred_id', '=', user._id)
    .returning('id')
    .executeTakeFirstOrThrow();
  const intentId = await given.payment(user, 'basic');
  await answered(publish(user, 'basic', { paymentId: intentId }));
  const { id: paymentId } = await db.selectFrom('payments').select('id').where('intent_id', '=', intentId).executeTakeFirstOrThrow();
  const approve = () =>
    answered(as(admin).post(`/admin/referrals/${referralId}/decide`, { approve: true, reason: 'We have looked at it.' }));
  return { referrer, user, paymentId, referralId, approve };
}
/** A user with a converted referral, whose referrer has tickets for their listing. */
async function converted() {
  const one = await held(await referred());
  await one.approve();
  return one;
}
/** A listing with reviews, and a user who can review it. */
async function rated() {
  const user = await newMember();
  const id = await bare(user);
  await given.review(id, 5);
  return { user, id, author: await newMember() };
}
const reviewed = async () => {
  const { id, author } = await rated();
  const { body } = await as(author).post('/review/create', { listingId: id, rating: 5, comment: 'Tidy work, fair price.' });
  return { id, author, reviewId: body._id as string };
};
/** A business with the conversations of some customers. */
async function contacted(customers = 1) {
  const seller = await newMember();
  const listingId = await bare(seller);
  const conversations = await times(customers, async () => {
    const buyer = await newMember();
    const { body } = await as(buyer).post('/email/send', { sellerId: seller._id, listingId, message: 'My tap drips.' });
    return { buyer, id: body.conversationId as string };
  });
  return { seller, conversations };
}
const quote = (user: User, conversationId: string) => {
  const lines = [{ description: 'Labour', quantityMilli: 1_000, unitMinor: 9_500 }];
  const validUntil = addDays(getDay(clock.now(), 'Pacific/Auckland'), 14);
  return as(user).post('/quotes', {
    conversationId,
    clientId: randomUUID(),
    kind: 'quote',
    gstIncluded: true,
    validUntil,
    lines,
    notes: '',
  });
};
/** A business whose customers have each got a quote, seen by none. */
async function quoted(customers = 1) {
  const { seller, conversations } = await contacted(customers);
  const quotes = [];
  for (const conversation of conversations)
    quotes.push({ ...conversation, quoteId: (await quote(seller, conversation.id)).body._id as string });
  return { seller, quotes };
}
const firstQuoted = async () => {
  const { seller, quotes } = await quoted();
  const [first] = quotes;
  if (!first) throw new Error('there is no quote');
  return { seller, ...first };
};
const visitTimes = (day: number) => [{ start: `${addDays(getDay(clock.now(), 'Pacific/Auckland'), day)}T10:00`, minutes: 60 }];
/** A business with a visit that is proposed to its customer. */
async function visiting() {
  const { seller, conversations } = await contacted();
  const [first] = conversations;
  if (!first) throw new Error('there is no conversation');
  const form = { conversationId: first.id, clientId: randomUUID(), times: visitTimes(3) };
  const { body } = await as(seller).post('/visits', form);
  const take = () => answered(as(first.buyer).post(`/visits/${body._id}/take`, { start: body.times[0].start }));
  return { seller, buyer: first.buyer, visitId: body._id as string, take };
}
async function agreedVisit() {
  const visit = await visiting();
  await visit.take();
  return visit;
}
/** A seller whose plan renews. */
async function renewing() {
  const user = await newMember();
  const { subscription_id: subscriptionId } = await row(await bare(user, 'premium'));
  const switchOn = async () => answered(as(user).put(`/plan-user/${subscriptionId}/renewal`, { cardId: await given.card(user) }));
  const switchOff = () => answered(as(user).delete(`/plan-user/${subscriptionId}/renewal`));
  return { user, subscriptionId, switchOn, switchOff };
}
const laterBy = (days: number) => ({ ...context, clock: { now: () => new Date(clock.now().getTime() + days * 86_400_000) } });
async function invited() {
  made += 1;
  const token = createToken();
  const draft: InvitationDraft = {
    businessName: 'Kingi',
    email: `office${made}@business.example`,
    country: 'NZ',
    region: 'Waikato',
    district: 'Taupō',
    base: '',
    mainCategory: 'trade',
    category: 'Plumbing',
    subCategory: '',
    phone: '',
    website: '',
    businessNumber: '',
    text: '',
  };
  const { id } = await db
    .insertInto('invitations')
    .values({
      mailbox_key: `mailbox of business ${made}`,
      basis: 'published_address',
      draft: JSON.stringify(draft),
      token_hash: hashToken(token),
      created_at: clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, token, mailboxKey: `mailbox of business ${made}` };
}
const number = '9429000106078';
registers.set(number, { name: 'KINGI & DAUGHTERS LIMITED' });

const works: Record<string, () => Promise<Work>> = {
  'the first publication of somebody who was referred': async () => {
    const { user } = await referred();
    return () => answered(publish(user, 'basic'));
  },
  'a publication that was paid for': async () => {
    const user = await newMember();
    const paymentId = await given.payment(user, 'premium');
    await syncIntent(payments, paymentId);
    return () => answered(publish(user, 'premium', { paymentId }));
  },
  'a payment that arrives': async () => {
    const paymentId = await given.payment(await newMember(), 'premium');
    return () => syncIntent(payments, paymentId);
  },
  'an edit that moves a listing with stars to another group and place': async () => {
    const { user, id } = await rated();
    return () => answered(edit(user, id, { ...elsewhere, businessNumber: number }));
  },
  'an edit of a number that was checked': async () => {
    const user = await newMember();
    const id = await bare(user);
    await answered(edit(user, id, { businessNumber: number }));
    return () => answered(edit(user, id, { businessNumber: number, businessTitle: 'Kingi and Sons' }));
  },
  'switching off': async () => {
    const user = await newMember();
    const id = await bare(user);
    return () => answered(as(user).put(`/listing/${id}/deactivate`));
  },
  'switching on': async () => {
    const user = await newMember();
    const id = await bare(user, 'basic', { status: 'inactive' });
    return () => answered(as(user).put(`/listing/${id}/reactivate`, {}));
  },
  'a change of plan that brings back what had expired': async () => {
    const user = await newMember();
    const id = await bare(user, 'premium');
    const { subscription_id: subscriptionId } = await row(id);
    const more = { subscriptionId, plan: 'premium', services: ['Leaks', 'Hot water'] } as const;
    await given.listing({ ...more, status: 'expired' });
    return async () => {
      const card = await given.card(user);
      await answered(as(user).put(`/listing/${id}/plan`, { planId: given.planId('featured'), paymentId: card }));
    };
  },
  'money that goes back because of fraud': async () => {
    const { paymentId } = await converted();
    const form = { reason: 'So.', requestId: randomUUID(), transferred: true, fraud: true };
    return () => answered(as(admin).post(`/admin/payment/${paymentId}/refund`, form));
  },
  'hiding a listing': async () => {
    const id = await bare(await newMember());
    return () => answered(decide('listing', id, 'hide_listing'));
  },
  'showing a listing': async () => {
    const id = await bare(await newMember());
    const { body } = await decide('listing', id, 'hide_listing');
    return () => answered(as(admin).post(`/admin/decisions/${body._id}/undo`, { reason: 'We were wrong.' }));
  },
  'suspending a seller': async () => {
    const user = await newMember();
    await bare(user, 'premium');
    const last = await bare(user, 'premium');
    // A scan in physical order reaches this one first.
    await sql`update listings set website = website where id <> ${last} and seller_id = ${user._id}`.execute(db);
    return () => answered(decide('user', user._id, 'suspend_account'));
  },
  'removing a review': async () => {
    const { reviewId } = await reviewed();
    return () => answered(decide('review', reviewId, 'remove_review', { removedBecause: 'offensive' }));
  },
  'a review': async () => {
    const { id, author } = await rated();
    return () => answered(as(author).post('/review/create', { listingId: id, rating: 1, comment: 'They never came.' }));
  },
  'a change of a review': async () => {
    const { author, reviewId } = await reviewed();
    return () => answered(as(author).put(`/review/${reviewId}`, { rating: 1, comment: 'They never came.' }));
  },
  'taking a review back': async () => {
    const { author, reviewId } = await reviewed();
    return () => answered(as(author).delete(`/review/${reviewId}`));
  },
  'deleting an account': async () => {
    const { referrer, user } = leaver;
    await answered(as(user).post('/plan-user/use-referral', { planId: given.planId('basic'), referralCode: referrer.referralCode }));
    await held(leaver);
    const { id } = await db.selectFrom('listings').select('id').where('seller_id', '=', user._id).executeTakeFirstOrThrow();
    await answered(edit(user, id, { businessNumber: number }));
    const { subscription_id: subscriptionId } = await row(id);
    await answered(as(user).put(`/plan-user/${subscriptionId}/renewal`, { cardId: await given.card(user) }));
    await answered(as(user).put(`/listing/${id}/availability`, { state: 'this_week' }));
    for (const buyer of [await newMember(), await newMember()]) {
      const { body } = await as(buyer).post('/email/send', { sellerId: user._id, listingId: id, message: 'My tap drips.' });
      await answered(quote(user, body.conversationId));
    }
    return () => leave(user);
  },
  'a check of a number': async () => {
    const user = await newMember();
    const id = await bare(user);
    await answered(edit(user, id, { businessNumber: number }));
    return () => checkRegister({ context, hooks: registerHooks }, id);
  },
  scores: async () => {
    await saveCategoryMean(db, 6, 31, clock.now());
    return () => updateGroupMeans(db, 0, 1_000_000);
  },
  'sellers who answer': async () => {
    const user = await newMember();
    await bare(user);
    await bare(user);
    return () => markAnswersWithinDay(db, [user._id], true);
  },
  'plans that end': async () => {
    const user = await newMember();
    const ends = new Date(clock.now().getTime() - 1000);
    const { subscription_id: id } = await row(await bare(user));
    await db.updateTable('subscriptions').set({ ends_at: ends }).where('id', '=', id).execute();
    await db.updateTable('listings').set({ subscription_ends_at: ends }).where('subscription_id', '=', id).execute();
    return () => expireListings(context);
  },
  'a code that is entered': async () => {
    const [owner, user] = [await newMember(), await newMember()];
    return () => answered(as(user).post('/plan-user/use-referral', { planId: given.planId('basic'), referralCode: owner.referralCode }));
  },
  'approving a referral': async () => {
    const { approve } = await held(await referred());
    return approve;
  },
  'a held referral whose time is up': async () => {
    const { referralId } = await held(await referred());
    await db.updateTable('referrals').set({ held_until: clock.now() }).where('id', '=', referralId).execute();
    return () => decideDueReferrals({ context, hooks: referralHooks });
  },
  'swapping tickets': async () => {
    const { referrer, referralId } = await converted();
    return () => answered(as(referrer).post(`/referral/rewards/${referralId}`, { rewardType: 'free_month' }));
  },
  'a quote': async () => {
    const { seller, conversations } = await contacted();
    return () => answered(quote(seller, conversations[0]?.id ?? ''));
  },
  'a quote that replaces another': async () => {
    const { seller, id } = await firstQuoted();
    return () => answered(quote(seller, id));
  },
  'a look at a quote': async () => {
    const { buyer, quoteId } = await firstQuoted();
    return () => answered(as(buyer).post(`/quotes/${quoteId}/seen`));
  },
  'accepting a quote': async () => {
    const { buyer, quoteId } = await firstQuoted();
    return () => answered(as(buyer).post(`/quotes/${quoteId}/accept`));
  },
  'declining a quote': async () => {
    const { buyer, quoteId } = await firstQuoted();
    return () => answered(as(buyer).post(`/quotes/${quoteId}/decline`, { reason: 'price' }));
  },
  'withdrawing a quote': async () => {
    const { seller, quoteId } = await firstQuoted();
    return () => answered(as(seller).post(`/quotes/${quoteId}/withdraw`));
  },
  'a visit': async () => {
    const { seller, conversations } = await contacted();
    const form = { conversationId: conversations[0]?.id, clientId: randomUUID(), times: visitTimes(3) };
    return () => answered(as(seller).post('/visits', form));
  },
  'taking a visit': async () => (await visiting()).take,
  'asking for other times': async () => {
    const { buyer, visitId } = await visiting();
    return () => answered(as(buyer).post(`/visits/${visitId}/ask`));
  },
  'moving a visit': async () => {
    const { buyer, visitId } = await agreedVisit();
    return () => answered(as(buyer).post(`/visits/${visitId}/times`, { clientId: randomUUID(), times: visitTimes(4) }));
  },
  'cancelling a visit': async () => {
    const { buyer, visitId } = await agreedVisit();
    return () => answered(as(buyer).post(`/visits/${visitId}/cancel`));
  },
  'reminders of visits': async () => {
    const { visitId } = await agreedVisit();
    // Of several, it would go on with the next one when this test cancels the first.
    await db.updateTable('visits').set({ remind_at: null }).where('id', '<>', visitId).execute();
    const { remind_at: due } = await db.selectFrom('visits').select('remind_at').where('id', '=', visitId).executeTakeFirstOrThrow();
    const logger = context.logger.child({}, { level: 'silent' });
    return () => remindOfVisits({ ...context, logger, clock: { now: () => due ?? clock.now() } });
  },
  'leaving with a visit': async () => {
    const { seller } = await agreedVisit();
    return () => leave(seller);
  },
  'quotes that expire': async () => {
    await quoted(2);
    return () => expireQuotes(laterBy(30));
  },
  'reminders of quotes': async () => {
    await quoted(2);
    return () => remindOfQuotes(laterBy(13));
  },
  'a message': async () => {
    const { seller, conversations } = await contacted();
    const form = { message: 'Yes, at nine.', clientId: randomUUID() };
    return () => answered(as(seller).postForm(`/messages/${conversations[0]?.id}`, form, []));
  },
  'a business with time': async () => {
    const user = await newMember();
    const id = await bare(user);
    await answered(as(user).put(`/listing/${id}/availability`, { state: 'this_week' }));
    return () => answered(as(user).put(`/listing/${id}/availability`, { state: 'next_week' }));
  },
  'a business without time': async () => {
    const user = await newMember();
    const id = await bare(user);
    await answered(as(user).put(`/listing/${id}/availability`, { state: 'this_week' }));
    return () => answered(as(user).delete(`/listing/${id}/availability`));
  },
  'accepting an invitation': async () => {
    const [user, { token }] = [await newMember(), await invited()];
    return () => answered(as(user).post('/invitations/claim', { token }));
  },
  'refusing invitations': async () => {
    const { mailboxKey } = await invited();
    return () => db.transaction().execute((tx) => insertRefusal(tx, mailboxKey, clock.now()));
  },
  'invitations that expire': async () => {
    await invited();
    await invited();
    return () => expireInvitations(laterBy(400));
  },
  'reminders of invitations': async () => {
    await invited();
    await invited();
    return () => remindOfInvitations(laterBy(invitationReminderDays));
  },
  'switching a renewal on': async () => {
    const { switchOn, switchOff } = await renewing();
    await switchOn();
    await switchOff();
    return switchOn;
  },
  'switching a renewal off': async () => {
    const { switchOn, switchOff } = await renewing();
    await switchOn();
    return switchOff;
  },
  'a renewal with a free month': async () => {
    const { user, subscriptionId, switchOn } = await renewing();
    await newMember(user.referralCode);
    await switchOn();
    await sql`insert into reward_entries (user_id, referral_id, reward, change, cause, quantity, created_at)
      select ${user._id}, id, 'free_month', 'issue', 'swapped', 1, now() from referrals where referrer_id = ${user._id}`.execute(db);
    await sql`update renewals set charge_at = ${clock.now()}, noticed_at = ${clock.now()} where subscription_id = ${subscriptionId}`.execute(
      db,
    );
    const renewal = await findRenewal(db, subscriptionId);
    if (!renewal) throw new Error('the renewal is missing');
    return () => chargeRenewal({ context, payments, hooks: planHooks }, renewal, null);
  },
  'renewals of plans that ended': async () => {
    const all = [await renewing(), await renewing()];
    for (const { switchOn } of all) await switchOn();
    return () => announceRenewals({ context: laterBy(60), hooks: planHooks });
  },
  // Last, because it ends the month.
  'leaving with a prize': async () => {
    const { closes_at: ended } = await db.selectFrom('draw_periods').select('closes_at').executeTakeFirstOrThrow();
    clock.set(new Date(ended.getTime() + 3_600_000));
    await closeDueDraws(context);
    const entrants = [await newMember(), await newMember(), await newMember()];
    for (const { _id: userId } of entrants)
      await db.transaction().execute((tx) => issueTickets(tx, context, { userId, tickets: 1, source: 'signup' }));
    const { id: period, closes_at: closes } = await db
      .selectFrom('draw_periods')
      .select(['id', 'closes_at'])
      .where('closed_at', 'is', null)
      .executeTakeFirstOrThrow();
    clock.set(closes);
    await closeDueDraws(context);
    clock.set(new Date(closes.getTime() + 310_000));
    await completeDueDraws(context);
    const { user_id: id } = await db
      .selectFrom('draw_picks')
      .innerJoin('draw_entries', 'draw_entries.id', 'entry_id')
      .select('user_id')
      .where('draw_id', '=', period)
      .where('won_at', 'is not', null)
      .executeTakeFirstOrThrow();
    const { email } = await db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow();
    const winner = (await asVisitor.post('/auth/login', { email, password: 'correct-horse' })).body.data;
    await bare(winner);
    return () => leave(winner);
  },
};

/** Exceptions of docs/payments.md: the work, the lock that it holds and the one that it waits for. */
const exceptions = [
  // The order is free under the user's lock.
  [null, 'subscriptions', 'listings'],
  // Picked users are locked in the order of the draw.
  ['leaving with a prize', 'users', 'users'],
] as const;

/** Work that locks no account first, because it spends nothing and writes no reference to an account. */
const withoutAccount = new Set([
  'an edit that moves a listing with stars to another group and place',
  'an edit of a number that was checked',
  'switching off',
  'a change of a review',
  'taking a review back',
  'a check of a number',
  'scores',
  'sellers who answer',
  'plans that end',
  'a quote',
  'a quote that replaces another',
  'a look at a quote',
  'accepting a quote',
  'declining a quote',
  'withdrawing a quote',
  'a visit',
  'taking a visit',
  'asking for other times',
  'moving a visit',
  'cancelling a visit',
  'reminders of visits',
  'quotes that expire',
  'reminders of quotes',
  'a message',
  'a business with time',
  'a business without time',
  'refusing invitations',
  'invitations that expire',
  'reminders of invitations',
]);

test('granting tickets to two users locks both before the month', async () => {
  // Creates the month.
  await referred();
  // Held from the start, so that neither has a ticket yet.
  const referrer = await newMember();
  const user = await newMember(referrer.referralCode, referrer.device);
  const { id } = await db.selectFrom('referrals').select('id').where('referred_id', '=', user._id).executeTakeFirstOrThrow();
  const approve = () => answered(as(admin).post(`/admin/referrals/${id}/decide`, { approve: true, reason: 'We have looked at it.' }));
  const { approving } = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('draw_periods').select('id').forNoKeyUpdate().execute();
    const work = approve();
    await untilLockWaits(db);
    const free = db.selectFrom('users').select('id').where('id', 'in', [referrer._id, user._id]).forUpdate().skipLocked();
    expect(await free.execute()).toEqual([]);
    return { approving: work };
  });
  await approving;
});

test('docs/payments.md documents this lock order', () => {
  const [, text = ''] = readFileSync(join(import.meta.dirname, '../../docs/payments.md'), 'utf8').split('## Who waits for whom');
  const [list = ''] = text.split('The provider is never called');
  const named = [...list.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).filter((name) => placeOf(name) >= 0);
  expect([...new Set(named)]).toEqual(order);
});

const reached = new Set<string>();

test.each(Object.entries(works))('%s takes its locks in the documented order', async (name, make) => {
  const work = await make();
  const { taken, pairs } = await lockOrderOf(work);
  for (const table of taken) reached.add(table);
  expect(taken.includes('users')).toBe(!withoutAccount.has(name));
  const isFree = (pair: Pair) =>
    exceptions.some(([title, held, awaited]) => (title ?? name) === name && held === pair.held && awaited === pair.awaited);
  expect(pairs.filter((pair) => placeOf(pair.held) >= placeOf(pair.awaited) && !isFree(pair))).toEqual([]);
  await work();
});

test('the tested work takes every lock', () => {
  expect(order.filter((table) => !reached.has(table))).toEqual([]);
});
