import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { readWithoutConstraints } from '@handwise/sandbox/testing/database';
import { issueTickets } from '../tickets/tickets.service.ts';
import { auditDraws, closeDueDraws, completeDueDraws, payPrize, submitClaim } from './draws.service.ts';

const { db, given, parts } = await testApp();
const { context, clock } = parts;

// June is drawn and paid, July waits for its round, August is open.
for (const [opens, closes] of [
  ['2031-06-10T00:00:00Z', '2031-06-30T11:30:00Z'],
  ['2031-07-10T00:00:00Z', '2031-07-31T11:30:00Z'],
  ['2031-08-10T00:00:00Z', null],
] as const) {
  clock.set(new Date(opens));
  const users = [];
  for (const tickets of [3, 1, 2]) {
    const user = await given.user();
    users.push(user);
    await db.updateTable('users').set({ email_confirmed_at: clock.now() }).where('id', '=', user._id).execute();
    await db.transaction().execute((tx) => issueTickets(tx, context, { userId: user._id, tickets, source: 'signup' }));
  }
  if (!closes) continue;
  clock.set(new Date(closes));
  await closeDueDraws(context);
  if (closes.includes('-07-')) continue;
  clock.set(new Date(Date.parse(closes) + 310_000));
  await completeDueDraws(context);
  const details = { bankName: 'Kiwibank', livesIn: 'NZ' as const, accountHolder: 'Mere Kingi', accountNumber: '38-9000-0123458-00' };
  // Only the winner can claim.
  for (const { _id } of users) await submitClaim(context, _id, details).catch(() => {});
  const { id } = await db.selectFrom('draws').select('id').executeTakeFirstOrThrow();
  await payPrize(context, { drawId: id, adminId: users[0]?._id ?? '', reason: undefined });
}
const june = sql`(select id from draw_periods where month = 6)`;

/** The audit's faults after rows were changed without triggers; rolls back. */
const faultsAfter = async (...statements: RawBuilder<unknown>[]) => {
  const { faults } = await readWithoutConstraints(db, auditDraws, statements);
  return faults.map(({ id, fault }) => `${id}: ${fault}`).toSorted();
};

test('verifies each draw from its public proof and ticket log, from closing to payment', async () => {
  expect(await auditDraws(db)).toEqual({ counts: '2 with 12 tickets, each verified with its ticket log', faults: [] });
});

test.each([
  ['total', sql`update draws set total_tickets = 7 where id = ${june}`, /^2031-06: this cannot be verified: The entries are in order/],
  [
    'root',
    sql`update draws set root = sha256('x') where id = ${june}`,
    /^2031-06: this cannot be verified: The root matches these entries/,
  ],
  [
    'randomness',
    sql`update draws set randomness = sha256('x') where id = ${june}`,
    /^2031-06: this cannot be verified: The randomness is the beacon’s/,
  ],
  [
    'winner',
    sql`update draw_picks set ticket_index = (ticket_index + 1) % 6 where place = 0 and draw_id = ${june}`,
    /^2031-06: this cannot be verified: The winner and reserves follow/,
  ],
  [
    'ticket log',
    sql`update ticket_log_leaves set data = replace(data, ' 3 2031-06', ' 4 2031-06')`,
    /^2031-06: this cannot be verified: The ticket log replays to these entries/,
  ],
])('reports a draw with a changed %s', async (_, statement, fault) => {
  expect(await faultsAfter(statement)).toContainEqual(expect.stringMatching(fault));
});

test('reports a draw closed at another time than its month, and a closed month without a draw', async () => {
  expect(await faultsAfter(sql`update draw_periods set closed_at = closed_at + interval '1 minute' where id = ${june}`)).toEqual([
    '2031-06: the draw and its month closed at different times',
  ]);
  expect(await faultsAfter(sql`delete from draws where id = ${june}`)).toEqual(['2031-06: the month is closed and has no draw']);
});

test.each([
  [
    'tickets added after the closing',
    [sql`update draw_entries set tickets = 3`],
    'the draw says 6 tickets in 3 entries of 3 people, its month has 9 in 3 of 3',
  ],
  [
    'a changed total',
    [sql`update draws set total_tickets = 5`],
    'the draw says 5 tickets in 3 entries of 3 people, its month has 6 in 3 of 3',
  ],
  [
    'entries given to another user',
    [sql`update draw_entries set user_id = (select min(user_id::text)::uuid from draw_entries)`],
    'the draw says 6 tickets in 3 entries of 3 people, its month has 6 in 3 of 1',
  ],
  [
    'a draw without a winner',
    [sql`update draw_picks set won_at = null, claim_by = null`],
    'the prize is paid, and 0 of those picked have it',
  ],
  [
    'several winners',
    [sql`drop index draw_picks_one_winner`, sql`update draw_picks set won_at = now(), claim_by = now() + interval '1 day'`],
    'the prize is paid, and 3 of those picked have it',
  ],
  ['a payment without a claim', [sql`delete from prize_claims`], 'the prize is paid, and its winner has claimed it 0 times'],
  [
    'a pending prize with a claim',
    [sql`update draws set prize = 'pending', paid_at = null where id = ${june}`],
    'the prize is pending, and its winner has claimed it 1 times',
  ],
  ['a payment by no administrator', [sql`delete from draw_actions`], 'the prize is paid, but no administrator said so'],
] as const)('reports %s', async (_, statements, fault) => {
  expect(await faultsAfter(...statements)).toContainEqual(`2031-06: ${fault}`);
});

test('reports a draw that has waited for more than a day', async () => {
  const waiting = (since: string) =>
    sql`update draws set status = 'waiting', prize = null, expected_at = now() - ${since}::interval, announced_at = now() - interval '3 days', closed_at = now() - interval '3 days',
      signature = null, randomness = null, completed_at = null, paid_at = null where id = ${june}`;
  const late = expect.stringMatching(/^2031-06: the draw waits for round \d+ since/);
  const noPicks = sql`delete from draw_picks`;
  expect(await faultsAfter(waiting('25 hours'), noPicks)).toContainEqual(late);
  expect(await faultsAfter(waiting('23 hours'), noPicks)).not.toContainEqual(late);
});
