import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '@handwise/sandbox/testing/database';
import { openDatabase, type Tx } from '../../kit/database/database.ts';
import { drawTransitions, movePrize, prizeTransitions, setCompleted } from './draws.states.ts';

const { url } = await testDatabase();
const client = new pg.Client({ connectionString: url });
await client.connect();
afterAll(() => client.end());

// One draw, inserted without foreign keys, because only transitions are tested here.
const id = randomUUID();
// Other columns are protected by another trigger.
await client.query('alter table draws disable trigger draws_fixed');
await client.query('set session_replication_role = replica');
await client.query(
  `insert into draws (id, status, closed_at, by_hand, root, total_tickets, total_entries, total_participants, voided, log, chain, round, announced_at, expected_at)
   values ('${id}', 'waiting', now(), false, sha256(''), 1, 1, 1, '{}', '{}', 'sandbox', 1, now(), now() + interval '1 minute')`,
);

type State = { status: string; prize: string | null };
const stateSql = ({ status, prize }: State) => {
  const drawn = prize === null ? 'null' : "decode(repeat('00', 32), 'hex')";
  const signature = prize === null ? 'null' : "decode(repeat('00', 48), 'hex')";
  return `status = '${status}', completed_at = ${status === 'completed' ? "'2040-01-01'" : 'null'}, prize = ${prize === null ? 'null' : `'${prize}'`},
    signature = ${signature}, randomness = ${drawn}, paid_at = ${prize === 'paid' ? "'2040-01-01'" : 'null'}`;
};

/** The constraint that rejects a transition, or null if the database allows it. */
async function findRejection(from: State, to: State): Promise<string | null> {
  await client.query('set session_replication_role = replica');
  await client.query(`update draws set ${stateSql(from)}`);
  await client.query('set session_replication_role = origin');
  await client.query('begin');
  try {
    await client.query(`update draws set ${stateSql(to)}`);
    return null;
  } catch (error) {
    return error instanceof pg.DatabaseError ? (error.constraint ?? error.message) : String(error);
  } finally {
    await client.query('rollback');
  }
}

test('code and database allow the same prize transitions', async () => {
  const states = Object.keys(prizeTransitions) as (keyof typeof prizeTransitions)[];
  const stateOf = (prize: string): State => (prize === 'none' ? { status: 'waiting', prize: null } : { status: 'completed', prize });
  for (const from of states) {
    for (const to of states.filter((state) => state !== from)) {
      const isAllowed = (prizeTransitions[from] as readonly string[]).includes(to);
      const rejection = await findRejection(stateOf(from), stateOf(to));
      expect([from, to, rejection]).toEqual([from, to, isAllowed ? null : 'draws_transition']);
    }
  }
});

test('code and database complete a draw once and never reopen it', async () => {
  expect(drawTransitions).toEqual({ waiting: ['completed'], completed: [] });
  const completed = { status: 'completed', prize: 'pending' };
  expect(await findRejection({ status: 'waiting', prize: null }, completed)).toBeNull();
  expect(await findRejection(completed, { status: 'waiting', prize: null })).toBe('draws_transition');
});

/** Runs an operation on the draw in one state, returns its result and whether a change was published, and rolls back. */
async function tryMove(from: State, work: (tx: Tx) => Promise<boolean>) {
  await client.query('set session_replication_role = replica');
  await client.query(`update draws set ${stateSql(from)}`);
  const database = openDatabase({ url, connections: 1, onIdleError: () => {} });
  let result = {};
  try {
    await database.db.transaction().execute(async (tx) => {
      const isMoved = await work(tx);
      const changes = await tx.selectFrom('changes').select('payload').execute();
      const { status, prize, paid_at: paidAt } = await tx.selectFrom('draws').selectAll().executeTakeFirstOrThrow();
      result = {
        isMoved,
        isPublished: changes.some(({ payload }) => JSON.stringify(payload).includes(id)),
        status,
        prize,
        isPrizePaid: paidAt !== null,
      };
      throw new Error('rolled back');
    });
  } catch (error) {
    if ((error as Error).message !== 'rolled back') throw error;
  } finally {
    await database.close();
  }
  return result;
}

const drawn = { completed_at: new Date(), signature: Buffer.alloc(48), randomness: Buffer.alloc(32), prize: 'pending' } as const;
const waiting = { status: 'waiting', prize: null };
const completed = { status: 'completed', prize: 'pending' };

test('completing a draw publishes a change; a draw completed meanwhile is not completed again', async () => {
  const seen = { id, status: 'waiting' } as const;
  expect(await tryMove(waiting, (tx) => setCompleted(tx, seen, drawn))).toMatchObject({
    isMoved: true,
    isPublished: true,
    status: 'completed',
  });
  expect(await tryMove(completed, (tx) => setCompleted(tx, seen, drawn))).toMatchObject({ isMoved: false });
  expect(await tryMove(completed, (tx) => setCompleted(tx, { id, status: 'completed' }, drawn))).toMatchObject({
    isMoved: false,
    isPublished: false,
  });
});

test('moving a prize publishes a change; a stale or forbidden move changes nothing', async () => {
  const claimed = { status: 'completed', prize: 'claimed' };
  const pay = (from: 'pending' | 'claimed') => (tx: Tx) => movePrize(tx, { id, prize: from }, 'paid', { paid_at: new Date() });
  expect(await tryMove(claimed, pay('claimed'))).toEqual({
    isMoved: true,
    isPublished: true,
    status: 'completed',
    prize: 'paid',
    isPrizePaid: true,
  });
  expect(await tryMove(completed, pay('pending'))).toMatchObject({ isMoved: false, isPublished: false, prize: 'pending' });
  expect(await tryMove(completed, pay('claimed'))).toMatchObject({ isMoved: false, prize: 'pending' });
});
