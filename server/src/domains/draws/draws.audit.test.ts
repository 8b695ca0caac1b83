import { testApp } from '@handwise/sandbox/testing/app';
import { readWithoutConstraints } from '@handwise/sandbox/testing/past-rules';
import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { issueTickets } from '../tickets/tickets.service.ts';
import { auditDraws, closeDueDraws, completeDueDraws } from './draws.service.ts';

const { db, given, parts } = await testApp();
const { context, clock } = parts;

// June is drawn, July waits for its round, August is open.
for (const [opens, closes] of [
  ['2031-06-10T00:00:00Z', '2031-06-30T11:30:00Z'],
  ['2031-07-10T00:00:00Z', '2031-07-31T11:30:00Z'],
  ['2031-08-10T00:00:00Z', null],
] as const) {
  clock.set(new Date(opens));
  for (const tickets of [3, 1, 2]) {
    const user = await given.user();
    await db.updateTable('users').set({ email_confirmed_at: clock.now() }).where('id', '=', user._id).execute();
    await db.transaction().execute((tx) => issueTickets(tx, context, { userId: user._id, tickets, source: 'signup' }));
  }
  if (!closes) continue;
  clock.set(new Date(closes));
  await closeDueDraws(context);
  if (closes.includes('-07-')) continue;
  clock.set(new Date(Date.parse(closes) + 310_000));
  await completeDueDraws(context);
}
const inJune = sql`id = (select id from draw_periods where month = 6)`;

const faultsAfter = async (...statements: RawBuilder<unknown>[]) => {
  const { faults } = await readWithoutConstraints(db, auditDraws, statements);
  return faults.map(({ id, fault }) => `${id}: ${fault}`).toSorted();
};

test('verifies each draw from its public proof and ticket log', async () => {
  expect(await auditDraws(db)).toEqual({ counts: '2 with 12 tickets, each verified with its ticket log', faults: [] });
});

test.each([
  ['its total', sql`update draws set total_tickets = 7 where ${inJune}`, /^2031-06: this does not hold: The entries are in order/],
  ['its root', sql`update draws set root = sha256('x') where ${inJune}`, /^2031-06: this does not hold: The root matches these entries/],
  [
    'its randomness',
    sql`update draws set randomness = sha256('x') where ${inJune}`,
    /^2031-06: this does not hold: The randomness is the beacon’s/,
  ],
  [
    'its winner',
    sql`update draw_picks set ticket_index = (ticket_index + 1) % 6 where place = 0 and draw_id = (select id from draw_periods where month = 6)`,
    /^2031-06: this does not hold: The winner and reserves follow/,
  ],
  [
    'its ticket log',
    sql`update ticket_log_leaves set data = replace(data, ' 3 2031-06', ' 4 2031-06')`,
    /^2031-06: this does not hold: The ticket log replays to these entries/,
  ],
])('reports a draw with changed %s', async (_, statement, fault) => {
  expect(await faultsAfter(statement)).toContainEqual(expect.stringMatching(fault));
});

test('reports a draw closed at another time than its month, and a closed month without a draw', async () => {
  expect(await faultsAfter(sql`update draw_periods set closed_at = closed_at + interval '1 minute' where month = 6`)).toEqual([
    '2031-06: the draw closed at another time than its month',
  ]);
  expect(await faultsAfter(sql`delete from draws where ${inJune}`)).toEqual(['2031-06: the month is closed and has no draw']);
});
