import pg from 'pg';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '@handwise/sandbox/testing/database';
import { openDatabase } from '../../kit/database/database.ts';
import { moveDispute, movePayment } from './payments.states.ts';

const { url } = await testDatabase();
const client = new pg.Client({ connectionString: url });
await client.connect();
const { db, close } = openDatabase({ url, connections: 1, onIdleError: () => {} });
afterAll(async () => {
  await close();
  await client.end();
});

// Two payments and two disputes, inserted without foreign keys, because only transitions are tested.
beforeEach(async () => {
  await client.query(
    'set session_replication_role = replica; delete from disputes; delete from payments; set session_replication_role = origin',
  );
});

async function insertTwo(text: string): Promise<[string, string]> {
  await client.query('set session_replication_role = replica');
  const { rows } = await client.query<{ id: string }>(text);
  await client.query('set session_replication_role = origin');
  return [rows[0]?.id ?? '', rows[1]?.id ?? ''];
}

const insertPayments = (status: 'open' | 'canceled') =>
  insertTwo(
    `insert into payments (user_id, purpose, plan_id, country, amount_minor, currency, status)
     select uuidv7(), 'listing', uuidv7(), 'NZ', 1500, 'NZD', '${status}' from generate_series(1, 2) returning id`,
  );
const insertDisputes = (status: 'needs_response' | 'won') =>
  insertTwo(
    `insert into disputes (provider_id, payment_id, amount_minor, reason, status, opened_at)
     select 'du_' || n, uuidv7(), 1500, 'fraudulent', '${status}', now() from generate_series(1, 2) as n returning id`,
  );
const listStatuses = async (table: 'payments' | 'disputes', ids: readonly string[]) => {
  const { rows } = await client.query<{ id: string; status: string }>(`select id, status from ${table}`);
  return ids.map((id) => rows.find((row) => row.id === id)?.status);
};

test('moves one payment, with its other columns', async () => {
  const [id, other] = await insertPayments('open');
  expect(await movePayment(db, { id, status: 'open' }, 'failed', { card_fingerprint: 'card' })).toBe(true);
  expect(await listStatuses('payments', [id, other])).toEqual(['failed', 'open']);
  expect((await client.query('select card_fingerprint from payments where id = $1', [id])).rows).toEqual([{ card_fingerprint: 'card' }]);
});

test('does not move a payment whose state has changed or has no such step', async () => {
  const [id, other] = await insertPayments('canceled');
  expect(await movePayment(db, { id, status: 'open' }, 'failed')).toBe(false);
  expect(await movePayment(db, { id, status: 'canceled' }, 'open')).toBe(false);
  expect(await listStatuses('payments', [id, other])).toEqual(['canceled', 'canceled']);
});

test('moves one dispute, with its other columns', async () => {
  const [id, other] = await insertDisputes('needs_response');
  const also = { due_by: new Date('2026-12-01T00:00:00Z'), changed_at: new Date('2026-11-24T00:00:00Z') };
  expect(await db.transaction().execute((tx) => moveDispute(tx, { id, status: 'needs_response' }, 'won', also))).toBe(true);
  expect(await listStatuses('disputes', [id, other])).toEqual(['won', 'needs_response']);
  expect((await client.query('select due_by, changed_at from disputes where id = $1', [id])).rows).toEqual([also]);
});

test('does not move a dispute whose state has changed or has no such step', async () => {
  const [id, other] = await insertDisputes('won');
  const also = { due_by: null, changed_at: new Date() };
  const move = (from: 'needs_response' | 'won', to: 'lost' | 'under_review') =>
    db.transaction().execute((tx) => moveDispute(tx, { id, status: from }, to, also));
  expect([await move('needs_response', 'lost'), await move('won', 'under_review')]).toEqual([false, false]);
  expect(await listStatuses('disputes', [id, other])).toEqual(['won', 'won']);
});
