import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { readWithoutConstraints } from '@handwise/sandbox/testing/database';
import { createLogSigner } from '../../kit/secrets/keys.ts';
import { auditTickets, closePeriod, issueTickets, findRunningPeriod, voidTickets } from './tickets.service.ts';

const { db, given, parts } = await testApp();
const { context, clock } = parts;

// A closed month of four entries, one void before closing and one voided by it, and an open month of three, one of them void.
clock.set(new Date('2031-03-10T00:00:00Z'));
const [mere, tama] = [await given.user(), await given.user()];
await db.updateTable('users').set({ email_confirmed_at: new Date() }).where('id', '=', mere._id).execute();
const issue = (user: { _id: string }, tickets = 1) =>
  db.transaction().execute((tx) => issueTickets(tx, context, { userId: user._id, tickets, source: 'signup' }));
const voidOne = (id: string) => db.transaction().execute((tx) => voidTickets(tx, context, [id], 'swapped'));
const [, second] = [await issue(mere), await issue(mere, 5), await issue(mere, 2), await issue(tama)];
await voidOne(second.entryId);
const march = (await findRunningPeriod(db, clock))?.id ?? '';
await db.transaction().execute((tx) => closePeriod(tx, context, { id: march }));
const [first, voided] = [await issue(mere, 3), await issue(mere), await issue(tama)];
await voidOne(voided.entryId);
const april = (await findRunningPeriod(db, clock))?.id ?? '';

const faultsAfter = async (...statements: RawBuilder<unknown>[]) => {
  const { faults } = await readWithoutConstraints(db, auditTickets, statements);
  return faults.map(({ id, fault }) => `${id}: ${fault}`).toSorted();
};

const inMarch = 'localhost:3000/draws/2031-03';
const inApril = 'localhost:3000/draws/2031-04';
const notOfTheLog = 'the head does not match the beginning of the log: leaves were changed or removed';

test('passes for logs that replay to their entries, and counts them', async () => {
  expect(await auditTickets(db)).toEqual({
    counts: '7 issued = 2 active + 2 drawn + 3 void in 10 leaves under 12 heads',
    faults: [],
  });
});

test('reports a changed leaf by its entry, the stored tree and every head that includes it', async () => {
  const found = await faultsAfter(
    sql`update ticket_log_leaves set data = replace(data, ' 3 2031', ' 30 2031') where period_id = ${april} and index = 0`,
  );
  // Entry ids are random, and so is their order.
  const isOfEntry = (fault: string) => fault.startsWith(first.entryId);
  expect(found.filter(isOfEntry)).toEqual([
    expect.stringMatching(`^${first.entryId}: leaf 0 issued 30 tickets at 2031-03-\\S+, the entry says leaf 0, 3 tickets at 2031-03-`),
  ]);
  expect(found.filter((fault) => !isOfEntry(fault))).toEqual([
    '1.0: the stored hash is not that of its two halves',
    ...[1, 2, 3, 4].map((size) => `${inApril} ${size}: ${notOfTheLog}`),
  ]);
});

test('reports a removed leaf by its entry, the log size and the heads', async () => {
  const found = await faultsAfter(sql`delete from ticket_log_leaves where period_id = ${april} and index = 3`);
  expect(found).toEqual(
    [
      '1.1: the stored hash is not that of its two halves',
      `${voided.entryId}: no leaf made the entry void`,
      `${inApril} 4: ${notOfTheLog}`,
      `${inApril}: of 4 leaves level 0 has 3 hashes instead of 4, up to the one at place 2`,
    ].toSorted(),
  );
});

test.each([
  ['more tickets', sql`update draw_entries set tickets = 4 where id = ${first.entryId}`, `${first.entryId}: leaf 0 issued 3 tickets at`],
  [
    'another time',
    sql`update draw_entries set created_at = created_at - interval '1 minute' where id = ${first.entryId}`,
    `${first.entryId}: leaf 0 issued 3`,
  ],
  ['another leaf', sql`update draw_entries set leaf_index = 7 where id = ${first.entryId}`, `${first.entryId}: leaf 0 issued 3`],
  [
    'nothing of it',
    sql`delete from draw_entries where id = ${first.entryId}`,
    `${first.entryId}: leaf 0 issued an entry that is not there`,
  ],
  [
    'void without a leaf',
    sql`update draw_entries set voided_at = now(), void_reason = 'fraud' where id = ${first.entryId}`,
    `${first.entryId}: no leaf made the entry void`,
  ],
  [
    'not void after all',
    sql`update draw_entries set voided_at = null, void_reason = null where id = ${voided.entryId}`,
    `${voided.entryId}: leaf 3 made an entry void that is not`,
  ],
  [
    'another reason',
    sql`update draw_entries set void_reason = 'fraud' where id = ${voided.entryId}`,
    `${voided.entryId}: leaf 3 says void: swapped at`,
  ],
  [
    'another time of being void',
    sql`update draw_entries set voided_at = voided_at - interval '1 minute' where id = ${voided.entryId}`,
    `${voided.entryId}: leaf 3 says void: swapped at`,
  ],
  [
    'an entry from nowhere',
    sql`insert into draw_entries select repeat('c', 32), period_id, user_id, 50, source, created_at, 99 from draw_entries where id = ${first.entryId}`,
    `${'c'.repeat(32)}: no leaf issued the entry`,
  ],
])('reports an entry that differs from its leaf: %s', async (_, statement, fault) => {
  const found = await faultsAfter(statement);
  expect(found).toEqual([expect.stringContaining(fault)]);
});

test('reports missing, extra and wrong hashes of the stored tree', async () => {
  const change = sql`update ticket_log_nodes set hash = sha256('x') where period_id = ${april} and level = 2`;
  expect(await faultsAfter(change)).toEqual(['2.0: the stored hash is not that of its two halves']);
  const deleteNodes = sql`delete from ticket_log_nodes where period_id = ${april} and level = 2`;
  expect(await faultsAfter(deleteNodes)).toEqual([`${inApril}: of 4 leaves level 2 has 0 hashes instead of 1, up to the one at place `]);
  const more = sql`insert into ticket_log_nodes values (${april}, 3, 0, sha256('x'))`;
  expect(await faultsAfter(more)).toEqual([
    '3.0: the stored hash is not that of its two halves',
    `${inApril}: of 4 leaves level 3 has 1 hashes instead of 0, up to the one at place 0`,
  ]);
});

test('reports a head of another key, log or size, and a closed month without its last head', async () => {
  const stranger = createLogSigner(Buffer.alloc(32, 9));
  const { signHead } = await import('@handwise/proof/checkpoint');
  const heads = await db.selectFrom('ticket_log_heads').selectAll().where('period_id', '=', april).orderBy('size').execute();
  const [, one, two] = heads;
  if (!one || !two) throw new Error('no heads');
  const put = (checkpoint: string) => sql`update ticket_log_heads set checkpoint = ${checkpoint} where period_id = ${april} and size = 1`;
  const notSigned = [`${inApril} 1: the head was not signed with the key that the terms name`];
  expect(await faultsAfter(put(signHead({ origin: inApril, size: 1, root: one.root }, stranger)))).toEqual(notSigned);
  expect(await faultsAfter(put('nothing'))).toEqual(notSigned);
  expect(await faultsAfter(put(two.checkpoint))).toEqual([`${inApril} 1: the signed head names another log, size or root`]);
  expect(await faultsAfter(put(signHead({ origin: inMarch, size: 1, root: one.root }, context.logKey)))).toEqual([
    `${inApril} 1: the signed head names another log, size or root`,
  ]);
  expect(await faultsAfter(put(signHead({ origin: inApril, size: 1, root: two.root }, context.logKey)))).toEqual([
    `${inApril} 1: the signed head names another log, size or root`,
  ]);
  expect(await faultsAfter(sql`delete from ticket_log_heads where period_id = ${march} and size = 6`)).toEqual([
    `${inMarch}: the last head does not cover the whole log`,
  ]);
});
