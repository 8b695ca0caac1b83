import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import type { QuoteStatus } from '@handwise/contract/quotes/words';
import { testDatabase, insertRows } from '@handwise/sandbox/testing/database';
import { listingRow } from '@handwise/sandbox/testing/listing';
import { hideListings, unhideListings } from '../src/domains/listings/listings.admin.ts';
import {
  assignSubscription,
  listStatusesBefore,
  listingTransitions,
  transitionListing,
  transitionListings,
} from '../src/domains/listings/listings.states.ts';
import { disputeTransitions, moveRefund, paymentTransitions, refundTransitions } from '../src/domains/payments/payments.states.ts';
import {
  endRenewals,
  endRenewalsOfUser,
  moveRenewal,
  type RenewalStatus,
  renewalTransitions,
} from '../src/domains/plans/plans.renewals.states.ts';
import { getRank, getStatusAt, isAccepted, isUnseen, moveQuote, quoteTransitions, whereOpen } from '../src/domains/quotes/quotes.states.ts';
import { moveReferral, referralTransitions } from '../src/domains/referrals/referrals.states.ts';
import { visitTransitions } from '../src/domains/visits/visits.states.ts';
import { openDatabase, type Tx } from '../src/kit/database/database.ts';

const { url } = await testDatabase();
const client = new pg.Client({ connectionString: url });
await client.connect();
afterAll(() => client.end());

// One listing and one payment, inserted without foreign keys, because only transitions are tested.
await client.query('set session_replication_role = replica');
await insertRows(client, 'listings', [listingRow({ id: randomUUID(), user_id: randomUUID(), ends_at: new Date() })]);
await client.query(
  `insert into payments (user_id, purpose, plan_id, country, amount_minor, currency) values (uuidv7(), 'listing', uuidv7(), 'NZ', 1500, 'NZD')`,
);

await client.query(
  `insert into refunds (payment_id, amount_minor, source, reason, provider_id) values (uuidv7(), 1500, 'provider', 'So.', 're_1')`,
);
await client.query(
  `insert into disputes (provider_id, payment_id, amount_minor, reason, status, opened_at) values ('du_1', uuidv7(), 1500, 'fraudulent', 'won', now())`,
);

await client.query(`insert into referrals (referrer_id, referred_id, code, entered_at, status, created_at, mailbox_key, held_because, held_at, held_until)
  values (uuidv7(), uuidv7(), 'REF', 'registration', 'held', now(), repeat('k', 32), 'So.', now(), now() + interval '1 day')`);

await client.query(
  `insert into renewals (subscription_id, user_id, card_id, amount_minor, status, agreed_at, charge_at) values (uuidv7(), uuidv7(), uuidv7(), 1, 'on', now(), now())`,
);

await client.query(`insert into quotes (conversation_id, number, client_id, kind, country, gst_included, total_minor, gst_minor, business_name, customer_name, notes, valid_until, expires_at, sent_at)
  values (uuidv7(), 1, uuidv7(), 'quote', 'NZ', true, 115, 15, 'Kingi Plumbing', 'Ana', '', '2030-01-01', '2030-01-01', '2027-01-01')`);

await client.query(`insert into visits (conversation_id, message_number, client_id, proposed_by, proposed_at, created_at)
  values (uuidv7(), 1, uuidv7(), 'seller', now(), now())`);

const listIds = (all: readonly { id: string }[]) => all.map(({ id }) => id);

/** The transitions that the database allows, and its errors for the others. */
async function tryAllSteps(
  table: 'listings' | 'payments' | 'referrals' | 'refunds' | 'disputes' | 'renewals' | 'quotes' | 'visits',
  states: string[],
  alsoSet: (status: string) => string,
) {
  const allowed: string[] = [];
  const rejected: string[] = [];
  for (const from of states) {
    for (const to of states) {
      await client.query('set session_replication_role = replica');
      await client.query(`update ${table} set status = '${from}' ${alsoSet(from)}`);
      await client.query('set session_replication_role = origin');
      await client.query('begin');
      try {
        await client.query(`update ${table} set status = '${to}' ${alsoSet(to)}`);
        if (from !== to) allowed.push(`${from} → ${to}`);
      } catch (error) {
        rejected.push(error instanceof Error ? error.message : '');
      } finally {
        await client.query('rollback');
      }
    }
  }
  return { allowed, rejected };
}

const listSteps = (table: Record<string, readonly string[]>) =>
  Object.entries(table).flatMap(([from, tos]) => tos.map((to) => `${from} → ${to}`));

test.each([
  ['listings', listingTransitions, (status: string) => `, hidden_from = ${status === 'hidden' ? "'active'" : 'null'}`],
  [
    'referrals',
    referralTransitions,
    (status: string) =>
      `, refused_because = ${status === 'refused' ? "'No.'" : 'null'}, converted_at = ${status === 'converted' ? 'now()' : 'null'}`,
  ],
  [
    'payments',
    paymentTransitions,
    (status: string) => `, succeeded_at = ${status === 'succeeded' ? 'now(), captured_minor = 1500' : 'null, captured_minor = 0'}`,
  ],
  [
    'refunds',
    refundTransitions,
    (status: string) =>
      `, refunded_at = ${status === 'succeeded' ? 'now()' : 'null'}, failure_reason = ${['failed', 'canceled'].includes(status) ? "'declined'" : 'null'}`,
  ],
  ['disputes', disputeTransitions, () => ''],
  [
    'renewals',
    renewalTransitions,
    (status: string) =>
      `, charge_at = ${status === 'on' ? 'now()' : 'null'}, problem = ${['failed', 'needs_action'].includes(status) ? "'So.'" : 'null'}`,
  ],
  [
    'quotes',
    quoteTransitions,
    (status: string) =>
      `, seen_at = ${['seen', 'accepted', 'declined'].includes(status) ? 'now()' : 'null'}, closed_at = ${['sent', 'seen'].includes(status) ? 'null' : 'now()'}, decline_reason = ${status === 'declined' ? "'price'" : 'null'}`,
  ],
  [
    'visits',
    visitTransitions,
    (status: string) =>
      `, proposed_by = ${status === 'proposed' ? "'seller', proposed_at = now()" : 'null, proposed_at = null'}, cancelled_by = ${status === 'cancelled' ? "'buyer'" : 'null'}, starts_at = ${status === 'agreed' ? 'now(), minutes = 60, agreed_at = now()' : 'null, minutes = null, agreed_at = null'}`,
  ],
] as const)('the life cycle of %s is the same in the code and in the database', async (table, transitions, alsoSet) => {
  const { allowed, rejected } = await tryAllSteps(table, Object.keys(transitions), alsoSet);
  expect(allowed.toSorted()).toEqual(listSteps(transitions).toSorted());
  const reason = new RegExp(`^${table} cannot go from [a-z_]+ to [a-z_]+$|^quote [-0-9a-f]+ cannot be changed$`);
  expect(rejected.filter((message) => !reason.test(message))).toEqual([]);
});

test('does not move a listing whose state has changed meanwhile', async () => {
  const database = openDatabase({ url, connections: 1, onIdleError: () => {} });
  await client.query("set session_replication_role = replica; update listings set status = 'expired', hidden_from = null");
  const { rows } = await client.query('select id from listings');
  const seen = { id: rows[0].id, status: 'active' as const };
  expect(await database.db.transaction().execute((tx) => transitionListing(tx, seen, 'inactive'))).toBe(false);
  expect((await client.query('select status from listings')).rows).toEqual([{ status: 'expired' }]);
  await database.close();
});

test('moves no listing that its owner may not move', async () => {
  await client.query("set session_replication_role = replica; update listings set status = 'hidden', hidden_from = 'active'");
  const { rows } = await client.query('select id from listings');
  const outcome = await runRolledBack((tx) => transitionListing(tx, { id: rows[0].id, status: 'hidden' }, 'active'));
  expect(outcome).toBe(false);
  expect(listStatusesBefore('expired').toSorted()).toEqual(['active', 'inactive']);
  expect(listStatusesBefore('active').toSorted()).toEqual(['expired', 'inactive']);
});

/** Runs work in a transaction that is rolled back. */
async function runRolledBack<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result | undefined> {
  const database = openDatabase({ url, connections: 1, onIdleError: () => {} });
  let result: Result | undefined;
  const rollback = new Error('rolled back');
  try {
    await database.db.transaction().execute(async (tx) => {
      result = await work(tx);
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  } finally {
    await database.close();
  }
  return result;
}

test('does not move a referral whose state has changed meanwhile', async () => {
  await client.query(
    "set session_replication_role = replica; update referrals set status = 'pending', refused_because = null, converted_at = null",
  );
  const { rows } = await client.query('select id from referrals');
  const statusAfter = (seen: 'held' | 'pending') =>
    runRolledBack(async (tx) => {
      await moveReferral(tx, { id: rows[0].id, status: seen }, 'refused', { refused_because: 'No.' });
      return tx.selectFrom('referrals').select(['status', 'refused_because']).executeTakeFirst();
    });
  expect(await statusAfter('held')).toEqual({ status: 'pending', refused_because: null });
  expect(await statusAfter('pending')).toEqual({ status: 'refused', refused_because: 'No.' });
  const convert = runRolledBack((tx) => moveReferral(tx, { id: rows[0].id, status: 'held' }, 'converted'));
  await expect(convert).rejects.toThrow('a referral that is held cannot become converted');
});

test('does not move a refund whose state has changed or is final', async () => {
  const refund = async (now: string, work: (tx: Tx, id: string) => Promise<boolean>) => {
    const also = now === 'pending' ? 'refunded_at = null, failure_reason = null' : 'refunded_at = now(), failure_reason = null';
    await client.query(`set session_replication_role = replica; update refunds set status = '${now}', check_at = now(), ${also}`);
    const { rows } = await client.query('select id from refunds');
    return runRolledBack(async (tx) => {
      const isMoved = await work(tx, rows[0].id);
      const { status, check_at: checkAt } = await tx.selectFrom('refunds').select(['status', 'check_at']).executeTakeFirstOrThrow();
      return [isMoved, status, checkAt !== null];
    });
  };
  const arrived = { refunded_at: new Date() };
  expect(await refund('pending', (tx, id) => moveRefund(tx, { id, status: 'pending' }, 'succeeded', arrived))).toEqual([
    true,
    'succeeded',
    false,
  ]);
  expect(await refund('succeeded', (tx, id) => moveRefund(tx, { id, status: 'pending' }, 'canceled', { failure_reason: 'So.' }))).toEqual([
    false,
    'succeeded',
    true,
  ]);
  expect(await refund('succeeded', (tx, id) => moveRefund(tx, { id, status: 'succeeded' }, 'pending'))).toEqual([false, 'succeeded', true]);
});

test('updates the time of change of a moved listing', async () => {
  const database = openDatabase({ url, connections: 1, onIdleError: () => {} });
  await client.query(
    "set session_replication_role = replica; update listings set status = 'active', hidden_from = null, updated_at = now() - interval '1 day'; set session_replication_role = origin",
  );
  const { rows } = await client.query('select id from listings');
  const seen = { id: rows[0].id, status: 'active' as const };
  expect(await database.db.transaction().execute((tx) => transitionListing(tx, seen, 'inactive'))).toBe(true);
  const { rows: moved } = await client.query("select status, updated_at > now() - interval '1 minute' as is_new from listings");
  expect(moved).toEqual([{ status: 'inactive', is_new: true }]);
  await database.close();
});

const toNew = { among: ['active', 'expired'] as const, by: sql<'active' | 'expired'>`'active'` };
test.each<[string, (tx: Tx, all: { id: string }[]) => Promise<{ id: string }[]>, string[]]>([
  ['owners end', (tx, all) => transitionListings(tx, all, 'expired', 'owner'), ['active → expired', 'inactive → expired']],
  ['owners reactivate', (tx, all) => transitionListings(tx, all, 'active', 'owner'), ['expired → active', 'inactive → active']],
  ['owners cannot hide', (tx, all) => transitionListings(tx, all, 'hidden', 'owner'), []],
  ['a state chosen by SQL must be a transition', (tx, all) => transitionListings(tx, all, toNew, 'owner'), ['inactive → active']],
  ['moderators cannot end', (tx, all) => transitionListings(tx, all.slice(0, 3), 'expired', 'moderator'), []],
  ['moderators hide', (tx, all) => hideListings(tx, listIds(all)), ['active → hidden', 'expired → hidden', 'inactive → hidden']],
  ['moderators unhide', (tx, all) => unhideListings(tx, listIds(all), new Date()), ['hidden → inactive']],
  ['only the given listings', (tx, all) => transitionListings(tx, all.slice(1, 2), 'expired', 'owner'), ['inactive → expired']],
  ['no listings', (tx) => transitionListings(tx, [], 'expired', 'owner'), []],
])('moves only those of several listings that the actor may move: %s', async (_name, move, steps) => {
  const before = new Map((['active', 'inactive', 'expired', 'hidden'] as const).map((status) => [randomUUID() as string, status]));
  const endsAt = new Date(Date.now() + 86_400_000);
  const rows = [...before].map(([id, status]) => ({
    ...listingRow({ id, user_id: id, ends_at: endsAt }),
    id,
    status,
    hidden_from: status === 'hidden' ? 'inactive' : null,
  }));
  await client.query('set session_replication_role = replica');
  await client.query('delete from listings');
  await insertRows(client, 'listings', rows);
  const database = openDatabase({ url, connections: 1, onIdleError: () => {} });
  const all = rows.map(({ id }) => ({ id }));
  const moved = await database.db.transaction().execute((tx) => move(tx, all));
  await database.close();
  const { rows: after } = await client.query<{ id: string; status: string }>('select id, status from listings');
  const changed = after.filter(({ id, status }) => status !== before.get(id));
  expect(changed.map(({ id, status }) => `${before.get(id)} → ${status}`).toSorted()).toEqual(steps);
  expect(listIds(moved).toSorted()).toEqual(listIds(changed).toSorted());
});

test('assigning a subscription reactivates expired listings only', async () => {
  await client.query(`set session_replication_role = replica; delete from listings`);
  const endsAt = new Date(Date.now() + 86_400_000);
  const states = ['active', 'expired', 'hidden', 'inactive'] as const;
  await insertRows(
    client,
    'listings',
    states.map((status) => ({
      ...listingRow({ id: randomUUID(), user_id: randomUUID(), ends_at: endsAt }),
      status,
      hidden_from: status === 'hidden' ? 'expired' : null,
      updated_at: new Date(0),
    })),
  );
  const { rows } = await client.query<{ id: string }>('select id from listings');
  const to = { subscription_id: randomUUID(), subscription_ends_at: endsAt, plan_rank: 2 };
  const after = await runRolledBack(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await assignSubscription(tx, listIds(rows), to);
    return tx.selectFrom('listings').select(['status', 'subscription_id', 'plan_rank', 'updated_at']).orderBy('status').execute();
  });
  expect(after?.map(({ status, plan_rank: rank, subscription_id: subscription }) => [status, rank, subscription])).toEqual(
    expect.arrayContaining(['active', 'active', 'hidden', 'inactive'].map((status) => [status, 2, to.subscription_id])),
  );
  expect(after?.every(({ updated_at: changedAt }) => changedAt > new Date(0))).toBe(true);
});

test.each([
  ['a listing', listingTransitions, 'active'],
  ['a payment', paymentTransitions, 'open'],
] as const)('every state of %s can be reached', (_name, transitions: Record<string, readonly string[]>, first) => {
  const reached = new Set<string>([first]);
  for (const state of reached) for (const next of transitions[state] ?? []) reached.add(next);
  expect([...reached].toSorted()).toEqual(Object.keys(transitions).toSorted());
});

/** The result of some work on a renewal with this status, and the renewal afterwards. */
async function onRenewal<Result>(
  status: RenewalStatus,
  work: (tx: Tx, renewal: { subscription_id: string; user_id: string }) => Promise<Result>,
) {
  const also = `charge_at = ${status === 'on' ? 'now()' : 'null'}, problem = ${['failed', 'needs_action'].includes(status) ? "'So.'" : 'null'}`;
  await client.query(`set session_replication_role = replica; update renewals set status = '${status}', ${also}`);
  const { rows } = await client.query('select subscription_id, user_id from renewals');
  return runRolledBack(async (tx) => {
    const result = await work(tx, rows[0]);
    const after = await tx.selectFrom('renewals').select(['status', 'charge_at', 'problem']).executeTakeFirstOrThrow();
    return [result, after.status, after.charge_at !== null, after.problem];
  });
}

test('moves a renewal as its table says, unless another process has moved it', async () => {
  const move = (now: RenewalStatus, seen: RenewalStatus, to: RenewalStatus, also: Parameters<typeof moveRenewal>[3] = {}) =>
    onRenewal(now, (tx, { subscription_id }) => moveRenewal(tx, { subscription_id, status: seen }, to, also));
  expect(await move('on', 'on', 'failed', { problem: 'Declined.' })).toEqual([true, 'failed', false, 'Declined.']);
  expect(await move('failed', 'failed', 'on', { charge_at: new Date() })).toEqual([true, 'on', true, null]);
  // A pending one may stay as it is, with another time or problem.
  expect(await move('failed', 'failed', 'failed', { problem: 'Again.' })).toEqual([true, 'failed', false, 'Again.']);
  expect(await move('off', 'off', 'off')).toEqual([false, 'off', false, null]);
  expect(await move('renewed', 'renewed', 'on', { charge_at: new Date() })).toEqual([false, 'renewed', false, null]);
  expect(await move('off', 'on', 'failed', { problem: 'Declined.' })).toEqual([false, 'off', false, null]);
});

test.each([
  ['on', 'ended', 1],
  ['failed', 'ended', 1],
  ['needs_action', 'ended', 1],
  ['renewed', 'renewed', 0],
  ['off', 'off', 0],
] as const)('ends a renewal that is %s only if it would still be charged', async (status, after, count) => {
  const rest = [after, false, null] as const;
  expect(await onRenewal(status, async (tx, one) => (await endRenewals(tx, [one.subscription_id])).length)).toEqual([count, ...rest]);
  const ofUser = await onRenewal(status, async (tx, one) => Number((await endRenewalsOfUser(tx, one.user_id))[0]?.numUpdatedRows));
  expect(ofUser).toEqual([count, ...rest]);
  expect(await onRenewal('on', async (tx) => (await endRenewals(tx, [randomUUID()])).length)).toEqual([0, 'on', true, null]);
  expect(await onRenewal('on', async (tx) => (await endRenewalsOfUser(tx, randomUUID())).length)).toEqual([1, 'on', true, null]);
});

/** The result of moving a quote with this status that a reader saw with another, and the quote afterwards. */
async function onQuote(now: QuoteStatus, seen: QuoteStatus, change: Parameters<typeof moveQuote>[2], seenAt: Date | null = null) {
  const isOpen = now === 'sent' || now === 'seen';
  await client.query('set session_replication_role = replica');
  await client.query('update quotes set status = $1, seen_at = $2, closed_at = $3, decline_reason = $4', [
    now,
    seenAt,
    isOpen ? null : new Date('2027-02-01'),
    now === 'declined' ? 'price' : null,
  ]);
  const { rows } = await client.query('select id from quotes');
  return runRolledBack(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    const isMoved = await moveQuote(tx, { id: rows[0].id, status: seen }, change, new Date('2027-03-01'));
    const after = await tx.selectFrom('quotes').select(['status', 'seen_at', 'closed_at', 'decline_reason']).executeTakeFirstOrThrow();
    return [
      isMoved,
      after.status,
      after.seen_at?.toISOString().slice(0, 10),
      after.closed_at?.toISOString().slice(0, 10),
      after.decline_reason,
    ];
  });
}

test('moves a quote along its transitions unless another request has moved it, and records when it was read and closed', async () => {
  const none = [undefined, undefined, null] as const;
  const declined = { status: 'declined', decline_reason: 'price', decline_note: '' } as const;
  expect(await onQuote('sent', 'sent', { status: 'seen' })).toEqual([true, 'seen', '2027-03-01', undefined, null]);
  expect(await onQuote('sent', 'sent', { status: 'accepted' })).toEqual([true, 'accepted', '2027-03-01', '2027-03-01', null]);
  expect(await onQuote('sent', 'sent', declined)).toEqual([true, 'declined', '2027-03-01', '2027-03-01', 'price']);
  for (const status of ['replaced', 'expired', 'withdrawn'] as const)
    expect(await onQuote('sent', 'sent', { status })).toEqual([true, status, undefined, '2027-03-01', null]);
  // The first time that it was read stays.
  const readAt = new Date('2027-02-20');
  expect(await onQuote('seen', 'seen', { status: 'accepted' }, readAt)).toEqual([true, 'accepted', '2027-02-20', '2027-03-01', null]);
  expect(await onQuote('accepted', 'accepted', { status: 'replaced' }, readAt)).toEqual([
    false,
    'accepted',
    '2027-02-20',
    '2027-02-01',
    null,
  ]);
  expect(await onQuote('sent', 'seen', { status: 'accepted' })).toEqual([false, 'sent', ...none]);
});

test('ranks the open quote of a conversation first, then the accepted one, and expires it by the clock', () => {
  expect((['sent', 'seen', 'accepted', 'declined', 'expired'] as const).map(getRank)).toEqual([0, 0, 1, 2, 2]);
  expect((['sent', 'seen', 'accepted'] as const).map(isUnseen)).toEqual([true, false, false]);
  expect((['sent', 'seen', 'accepted'] as const).map(isAccepted)).toEqual([false, false, true]);
  const at = (status: QuoteStatus, ms: number) => getStatusAt({ status, expires_at: new Date(1_000) }, new Date(1_000 + ms));
  expect([at('sent', -1), at('sent', 0), at('seen', 1), at('accepted', 1), at('withdrawn', 1)]).toEqual([
    'sent',
    'expired',
    'expired',
    'accepted',
    'withdrawn',
  ]);
});

test('counts as open the quotes that can still be accepted', async () => {
  for (const [status, count] of [
    ['sent', 1],
    ['seen', 1],
    ['accepted', 0],
    ['replaced', 0],
  ] as const) {
    await client.query('set session_replication_role = replica');
    await client.query('update quotes set status = $1, seen_at = now(), closed_at = $2, decline_reason = null', [
      status,
      count === 1 ? null : new Date(),
    ]);
    const open = await runRolledBack((tx) => tx.selectFrom('quotes').select('id').where(whereOpen).execute());
    expect(open).toHaveLength(count);
  }
});
