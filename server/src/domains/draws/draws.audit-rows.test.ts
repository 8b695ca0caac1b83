import { testApp } from '@handwise/sandbox/testing/app';
import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { issueTickets } from '../tickets/tickets.service.ts';
import { auditDraws, closeDueDraws, completeDueDraws, payPrize, submitClaim } from './draws.service.ts';

const { db, given, parts } = await testApp();
const { clock, context } = parts;

// A draw with two people and a paid prize.
clock.set(new Date('2031-06-10T00:00:00Z'));
const people = [await given.user(), await given.user()];
await db.updateTable('users').set({ email_confirmed_at: clock.now() }).execute();
for (const { _id: userId } of people)
  await db.transaction().execute((tx) => issueTickets(tx, context, { userId, tickets: 2, source: 'signup' }));
clock.set(new Date('2031-06-30T11:30:00Z'));
await closeDueDraws(context);
clock.set(new Date('2031-06-30T11:36:00Z'));
await completeDueDraws(context);
const details = { bankName: 'Kiwibank', accountHolder: 'Mere Kingi', accountNumber: '38-9000-0123458-00' };
for (const { _id: userId } of people) await submitClaim(context, userId, details, 'support@example.org').catch(() => {});
const { id } = await db.selectFrom('draws').select('id').executeTakeFirstOrThrow();
await payPrize(context, { drawId: id, adminId: people[0]?._id ?? '', reason: undefined });

test('passes for a draw from its closing to the payment', async () => {
  expect((await auditDraws(db)).faults).toEqual([]);
});

const undone = new Error('undone');
/** The audit's faults after rows were changed without triggers; rolls back. */
async function faultsAfter(...statements: RawBuilder<unknown>[]): Promise<string[]> {
  const found: string[] = [];
  await db
    .transaction()
    .execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      for (const statement of statements) await statement.execute(tx);
      const { faults } = await auditDraws(tx);
      found.push(...faults.map((one) => `${one.id}: ${one.fault}`));
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return found;
}

test.each([
  [
    'tickets that were added after the closing',
    [sql`update draw_entries set tickets = 3`],
    'the draw says 4 tickets in 2 entries of 2 people, its month has 6 in 2 of 2',
  ],
  [
    'a total that was changed',
    [sql`update draws set total_tickets = 5`],
    'the draw says 5 tickets in 2 entries of 2 people, its month has 4 in 2 of 2',
  ],
  [
    'an entry that was made somebody else’s',
    [sql`update draw_entries set user_id = (select min(user_id::text)::uuid from draw_entries)`],
    'the draw says 4 tickets in 2 entries of 2 people, its month has 4 in 2 of 1',
  ],
  [
    'a draw without a winner',
    [sql`update draw_picks set won_at = null, claim_by = null`],
    'the prize is paid, and 0 of those picked have it',
  ],
  [
    'two winners',
    [sql`drop index draw_picks_one_winner`, sql`update draw_picks set won_at = now(), claim_by = now() + interval '1 day'`],
    'the prize is paid, and 2 of those picked have it',
  ],
  ['a payment without a claim', [sql`delete from prize_claims`], 'the prize is paid, and its winner has claimed it 0 times'],
  [
    'a claim that is taken back by hand',
    [sql`update draws set prize = 'pending', paid_at = null`],
    'the prize is pending, and its winner has claimed it 1 times',
  ],
  ['a payment of which no administrator knows', [sql`delete from draw_actions`], 'the prize is paid, but no administrator said so'],
] as const)('%s are named', async (_, statements, fault) => {
  expect(await faultsAfter(...statements)).toContainEqual(`2031-06: ${fault}`);
});

test('reports a draw that has waited for more than a day', async () => {
  const waiting = (since: string) =>
    sql`update draws set status = 'waiting', prize = null, expected_at = now() - ${since}::interval, announced_at = now() - interval '3 days', closed_at = now() - interval '3 days',
      signature = null, randomness = null, completed_at = null, paid_at = null`;
  const late = expect.stringMatching(/^2031-06: the draw waits for round \d+ since/);
  const nobody = sql`delete from draw_picks`;
  expect(await faultsAfter(waiting('25 hours'), nobody)).toContainEqual(late);
  expect(await faultsAfter(waiting('23 hours'), nobody)).not.toContainEqual(late);
});
