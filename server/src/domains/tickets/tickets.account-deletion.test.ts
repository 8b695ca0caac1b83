import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { parseHead } from '@handwise/proof/checkpoint';
import { testApp } from '@handwise/sandbox/testing/app';
import { untilLockWaits } from '@handwise/sandbox/testing/lock-waits';
import { unzipped } from '@handwise/sandbox/testing/zip';
import { Keyring } from '../../kit/secrets/keys.ts';
import { signLogHeads } from './tickets.jobs.ts';
import { eraseEntrants, unsealEntrant, reencryptEntrants } from './tickets.sealing.ts';
import {
  auditTickets,
  closePeriod,
  issueTickets,
  voidTicketsOfDeletedUser,
  listEntriesOfUser,
  findRunningPeriod,
} from './tickets.service.ts';

const { app, db, given, callers, parts } = await testApp();
const { as, asVisitor } = callers;
const { context, clock } = parts;

const issue = (user: { _id: string }, tickets = 1) =>
  db.transaction().execute((tx) => issueTickets(tx, context, { userId: user._id, tickets, source: 'signup' }));
const leave = (user: { token: string }) => as(user).delete('/auth/account', { currentPassword: 'correct-horse' });
const leavesOf = async (month: string) => (await asVisitor.get(`/draws/${month}/log`)).body.leaves as string[];
const sizeOfHead = async (month: string) => parseHead((await asVisitor.get(`/draws/${month}/log/checkpoint`)).body)?.size;

test('deleting an account voids its tickets of the running month and leaves drawn ones', async () => {
  clock.set(new Date('2031-03-10T00:00:00Z'));
  const [user, other] = [await given.user(), await given.user()];
  await db.updateTable('users').set({ email_confirmed_at: new Date() }).where('deleted_at', 'is', null).execute();
  await issue(user, 2);
  const march = await findRunningPeriod(db, clock);
  await db.transaction().execute((tx) => closePeriod(tx, context, { id: march?.id ?? '' }));
  const [one, , others] = [await issue(user, 5), await issue(user), await issue(other)];
  expect((await leave(user)).status).toBe(200);
  const entries = await listEntriesOfUser(db, user._id);
  expect(entries.map(({ status, voidReason, period }) => [period, status, voidReason])).toEqual([
    ['2031-04', 'void', 'deleted'],
    ['2031-04', 'void', 'deleted'],
    ['2031-03', 'drawn', null],
  ]);
  expect(await leavesOf('2031-03')).toHaveLength(1);
  const april = await leavesOf('2031-04');
  expect(
    april
      .slice(3)
      .map((leaf) => leaf.split(' ').slice(0, 3).join(' '))
      .toSorted(),
  ).toEqual(
    entries
      .filter(({ period }) => period === '2031-04')
      .map(({ id }) => `- ${id} deleted`)
      .toSorted(),
  );
  expect(april.join()).toContain(`- ${one.entryId} deleted`);
  expect((await listEntriesOfUser(db, other._id)).map(({ id, status }) => [id, status])).toEqual([[others.entryId, 'active']]);

  // No email cites a head, so the hourly job signs it, once.
  expect(await sizeOfHead('2031-04')).toBe(3);
  await signLogHeads(context);
  expect(await sizeOfHead('2031-04')).toBe(5);
  const heads = () => db.selectFrom('ticket_log_heads').select('size').execute();
  const before = await heads();
  await signLogHeads(context);
  expect(await heads()).toEqual(before);
});

test('deleting an account between the end of a month and its closing voids the tickets of both months, each in its own log', async () => {
  clock.set(new Date('2031-05-31T11:28:00Z'));
  const user = await given.user();
  const may = await issue(user);
  clock.set(new Date('2031-05-31T11:30:00Z'));
  const june = await issue(user);
  expect((await leave(user)).status).toBe(200);
  expect((await leavesOf('2031-05')).at(-1)).toContain(`- ${may.entryId} deleted`);
  expect((await leavesOf('2031-06')).at(-1)).toContain(`- ${june.entryId} deleted`);
  expect((await auditTickets(db)).faults).toEqual([]);
});

/** A promise that another transaction waits for. */
function createSignal() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { resolve: () => resolve(), promise };
}

test('issuing tickets and deleting the account in parallel does not deadlock', async () => {
  const user = await given.user();
  await issue(user);
  const [locked, proceed] = [createSignal(), createSignal()];
  const issuing = db.transaction().execute(async (tx) => {
    await sql`select from users where id = ${user._id} for key share`.execute(tx);
    locked.resolve();
    await proceed.promise;
    return issueTickets(tx, context, { userId: user._id, tickets: 1, source: 'referral' });
  });
  await locked.promise;
  const deleting = db.transaction().execute(async (tx) => {
    await voidTicketsOfDeletedUser(tx, context, user._id);
    await tx
      .updateTable('users')
      .set({ email: `${user._id}@deleted.invalid` })
      .where('id', '=', user._id)
      .execute();
  });
  await untilLockWaits(db);
  proceed.resolve();
  await Promise.all([issuing, deleting]);
  expect((await listEntriesOfUser(db, user._id)).map(({ status }) => status)).toEqual(['void', 'void']);
});

test('an account deletion blocks only issuing tickets to that account', async () => {
  const [user, other] = [await given.user(), await given.user()];
  await issue(user);
  const [deletionBegun, proceed] = [createSignal(), createSignal()];
  const deleting = db.transaction().execute(async (tx) => {
    await sql`select from users where id = ${user._id} for update`.execute(tx);
    deletionBegun.resolve();
    await proceed.promise;
    await voidTicketsOfDeletedUser(tx, context, user._id);
  });
  await deletionBegun.promise;
  const late = issue(user);
  await untilLockWaits(db);
  await issue(other);
  proceed.resolve();
  await Promise.all([deleting, late]);
  expect((await listEntriesOfUser(db, user._id)).map(({ status }) => status)).toEqual(['active', 'void']);
});

test('stores the sealed identity of a deleted account for five years after its last draw', async () => {
  clock.set(new Date('2031-06-10T00:00:00Z'));
  const [user, without] = [
    await given.user({ fullName: 'Aroha Ngata', username: 'aroha_n', email: 'aroha@example.org' }),
    await given.user(),
  ];
  await issue(user);
  clock.set(new Date('2031-07-05T00:00:00Z'));
  await issue(user);
  for (const one of [user, without]) await as(one).post('/auth/confirm-identity', { password: 'correct-horse' });
  expect(await Promise.all([leave(user), leave(without)])).toEqual([
    expect.objectContaining({ status: 200 }),
    expect.objectContaining({ status: 200 }),
  ]);
  const sealed = async () => (await db.selectFrom('sealed_entrants').selectAll().where('user_id', '=', user._id).execute())[0];
  expect((await sealed())?.sealed.toString('latin1')).not.toMatch(/aroha/i);
  expect(await unsealEntrant(db, context, user._id)).toEqual({ fullName: 'Aroha Ngata', username: 'aroha_n', email: 'aroha@example.org' });
  expect(await unsealEntrant(db, context, without._id)).toBeUndefined();
  expect((await sealed())?.erase_after).toEqual(new Date('2036-07-31T11:30:00Z'));
  clock.set(new Date('2036-07-31T11:29:00Z'));
  await eraseEntrants(context);
  expect(await sealed()).toBeDefined();
  clock.set(new Date('2036-07-31T11:30:00Z'));
  await eraseEntrants(context);
  expect(await unsealEntrant(db, context, user._id)).toBeUndefined();
});

test('re-encrypts sealed identities with a new key, and logs and keeps those that cannot be decrypted', async () => {
  clock.set(new Date('2037-06-10T00:00:00Z'));
  const user = await given.user({ fullName: 'Wiremu Parata' });
  await issue(user);
  await leave(user);
  const [old, key, lost] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)].map((one) => one.toString('base64'));
  const first = new Keyring({ old: old ?? '' });
  const put = ({ keyId, sealed }: ReturnType<Keyring['seal']>) =>
    db.updateTable('sealed_entrants').set({ key_id: keyId, sealed }).where('user_id', '=', user._id).execute();
  const entrant = { fullName: 'Wiremu Parata', username: 'wiremu', email: 'wiremu@example.org' };
  await put(first.seal(JSON.stringify(entrant), `entrant ${user._id}`));
  await reencryptEntrants({ ...context, keyring: new Keyring({ newest: key ?? '', old: old ?? '' }) });
  const row = async () =>
    db.selectFrom('sealed_entrants').select(['key_id', 'sealed']).where('user_id', '=', user._id).executeTakeFirstOrThrow();
  expect((await row()).key_id).toBe('newest');
  expect(await unsealEntrant(db, { keyring: new Keyring({ newest: key ?? '' }) }, user._id)).toEqual(entrant);
  const before = await row();
  parts.logged.length = 0;
  await reencryptEntrants({ ...context, keyring: new Keyring({ another: lost ?? '' }) });
  expect(await row()).toEqual(before);
  expect(parts.logged.filter((line) => line.includes('is its key still in PRIZE_KEYS?'))).toHaveLength(1);
});

test('the data export contains the user’s own tickets only', async () => {
  const [user, other] = [await given.user(), await given.user()];
  const { entryId } = await issue(user, 4);
  await issue(other);
  const answer = await app.inject({ url: '/api/auth/export', headers: { authorization: `Bearer ${user.token}` } });
  expect(JSON.parse(unzipped(answer.rawPayload).get('tickets.json')?.toString() ?? 'null')).toEqual([
    expect.objectContaining({ id: entryId, tickets: 4, source: 'signup', status: 'active' }),
  ]);
});
