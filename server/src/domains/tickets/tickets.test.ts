import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { drawEntry, entrySources, voidReasons } from '@handwise/contract/tickets/calls';
import { verifyHead, parseHead } from '@handwise/proof/checkpoint';
import { parseLogText, replayLog } from '@handwise/proof/log';
import { hashLeaf, verifyConsistency, verifyInclusion } from '@handwise/proof/tree';
import { testApp } from '@handwise/sandbox/testing/app';
import { untilLockWaits } from '@handwise/sandbox/testing/lock-waits';
import { createLogSigner } from '../../kit/secrets/keys.ts';
import { listEntryFaults, listTreeFaults } from './tickets.audit.ts';
import { TicketLogWriter } from './tickets.log.ts';
import { ensurePeriod } from './tickets.periods.ts';
import { lockPeriod } from './tickets.queries.ts';
import {
  closePeriod,
  countTickets,
  issueTickets,
  listEntriesOfUser,
  listPeriods,
  findRunningPeriod,
  voidTickets,
} from './tickets.service.ts';

const { db, given, callers, parts } = await testApp();
const { asVisitor } = callers;
const { context, clock } = parts;
const publicKey = Buffer.from(context.logKey.publicKey).toString('hex');

// Each test has its own month, so that its log holds only the leaves of that test.
let year = 2030;
beforeEach(() => {
  year += 1;
  clock.set(new Date(`${year}-05-10T00:00:00Z`));
});
const month = () => `${year}-05`;

const person = async () => {
  const user = await given.user();
  await db.updateTable('users').set({ email_confirmed_at: new Date() }).where('id', '=', user._id).execute();
  return user;
};
const issue = (user: { _id: string }, tickets = 1) =>
  db.transaction().execute((tx) => issueTickets(tx, context, { userId: user._id, tickets, source: 'signup' }));
const voidThese = (ids: string[], reason: 'swapped' | 'fraud' = 'swapped') =>
  db.transaction().execute((tx) => voidTickets(tx, context, ids, reason));
const period = async () => {
  const found = await findRunningPeriod(db, clock);
  if (!found) throw new Error('no month runs');
  return found;
};
/** The running period, created if it is missing. */
const running = async () => {
  await ensurePeriod(context);
  return period();
};
const close = async () => {
  const { id } = await period();
  const closed = await db.transaction().execute((tx) => closePeriod(tx, context, { id }));
  if (!closed) throw new Error('it was closed already');
  return closed;
};
const log = async (name = month()) => (await asVisitor.get(`/draws/${name}/log`)).body as { size: number; leaves: string[] };
const checkpoint = async () => (await asVisitor.get(`/draws/${month()}/log/checkpoint`)).body as string;
const headOf = (note: string) => {
  const head = parseHead(note);
  if (!head || !verifyHead(head, publicKey)) throw new Error(`this is no head of ours: ${note}`);
  return head;
};
const prove = (path: string) => asVisitor.get(`/draws/${month()}/log/${path}`);
const forEver = 'public, max-age=31536000, immutable';
const statuses = async (user: { _id: string }) =>
  Object.fromEntries((await listEntriesOfUser(db, user._id)).map(({ id, status }) => [id, status]));
const bytes = (path: string[]) => path.map((hash) => new Uint8Array(Buffer.from(hash, 'base64')));

test('issuing an entry appends a leaf and returns a head that includes it', async () => {
  const user = await person();
  const { entryId, head } = await issue(user, 3);
  expect(entryId).toMatch(/^[\da-f]{32}$/);
  const { leaves } = await log();
  const [entry] = drawEntry.array().parse(await listEntriesOfUser(db, user._id));
  expect(leaves).toEqual([`+ ${entryId} 3 ${entry?.createdAt.slice(0, 19)}Z`]);
  expect(headOf(head)).toMatchObject({ origin: `localhost:3000/draws/${month()}`, size: 1, root: hashLeaf(leaves[0] ?? '') });
  expect(await checkpoint()).toBe(head);
});

test('fifty parallel issues get one leaf each in commit order under heads of one log', async () => {
  const user = await person();
  const issued = await Promise.all(Array.from({ length: 50 }, () => issue(user)));
  const { leaves } = await log();
  const heads = issued.map(({ head }) => headOf(head)).toSorted((a, b) => a.size - b.size);
  expect(heads.map(({ size }) => size)).toEqual(Array.from({ length: 50 }, (_, place) => place + 1));
  const { rootsAt, entries, faults } = replayLog(
    leaves,
    heads.map(({ size }) => size),
  );
  expect(faults).toEqual([]);
  expect(entries.map(({ id }) => id)).toEqual(issued.map(({ entryId }) => entryId).toSorted());
  expect(heads.map(({ size, root }) => Buffer.compare(root, rootsAt.get(size) ?? new Uint8Array()))).toEqual(Array(50).fill(0));
  for (const { entryId, head } of issued) expect(leaves.slice(0, headOf(head).size).join()).toContain(entryId);
});

test('a rolled back entry leaves no leaf, and the next entry takes its index', async () => {
  const user = await person();
  await issue(user);
  const undone = db.transaction().execute(async (tx) => {
    await issueTickets(tx, context, { userId: user._id, tickets: 7, source: 'signup' });
    throw new Error('changed my mind');
  });
  await expect(undone).rejects.toThrow('changed my mind');
  const { entryId } = await issue(user, 2);
  const { leaves } = await log();
  expect(leaves).toHaveLength(2);
  expect(leaves[1]).toContain(`+ ${entryId} 2 `);
});

test('closing voids entries of ineligible users with a reason each, and the last head includes that', async () => {
  const [plain, admin, suspended, unconfirmed, swapper, deleted] = await Promise.all(Array.from({ length: 6 }, person));
  if (!plain || !admin || !suspended || !unconfirmed || !swapper || !deleted) throw new Error('six people');
  // Another month that is due to close must not matter.
  clock.set(new Date(`${year}-04-10T00:00:00Z`));
  const april = await issue(unconfirmed);
  clock.set(new Date(`${year}-05-10T00:00:00Z`));
  const entries = new Map<string, string>();
  for (const one of [swapper, unconfirmed, deleted, suspended, admin, plain]) entries.set(one._id, (await issue(one, 2)).entryId);
  const entryOf = (one: { _id: string }) => entries.get(one._id) ?? '';
  const update = (one: { _id: string }, values: object) => db.updateTable('users').set(values).where('id', '=', one._id).execute();
  await voidThese([entryOf(swapper)]);
  // The first applicable reason wins, in this order: deleted, administrator, suspended, unconfirmed.
  const [email_confirmed_at, suspended_at, role] = [null, new Date(), 'admin'];
  await update(swapper, { email_confirmed_at });
  await update(deleted, { deleted_at: new Date(), role, suspended_at, email_confirmed_at });
  await update(admin, { role, suspended_at, email_confirmed_at });
  await update(suspended, { suspended_at, email_confirmed_at });
  await update(unconfirmed, { email_confirmed_at });
  const closed = await close();
  await Promise.all([admin, deleted].map((one) => update(one, { role: 'user' })));
  expect(closed).toMatchObject({
    entries: [{ id: entryOf(plain), tickets: 2 }],
    totalTickets: 2,
    participants: 1,
    voided: { administrator: 1, suspended: 1, unconfirmed: 1, swapped: 1, deleted: 1, fraud: 0 },
    log: { origin: `localhost:3000/draws/${month()}`, size: 11, publicKey },
  });
  const { leaves } = await log();
  expect(leaves.slice(6).map((leaf) => leaf.split(' ').slice(0, 3).join(' '))).toEqual([
    `- ${entryOf(swapper)} swapped`,
    `- ${entryOf(unconfirmed)} unconfirmed`,
    `- ${entryOf(deleted)} deleted`,
    `- ${entryOf(suspended)} suspended`,
    `- ${entryOf(admin)} administrator`,
  ]);
  const replay = replayLog(leaves);
  expect(replay).toMatchObject({ faults: [], entries: closed.entries, voided: closed.voided });
  expect(headOf(closed.log.checkpoint)).toMatchObject({ size: 11, root: replay.root });
  expect(closed.log.root).toBe(Buffer.from(replay.root).toString('base64'));
  expect(await checkpoint()).toBe(closed.log.checkpoint);

  expect(await statuses(unconfirmed)).toEqual({ [april.entryId]: 'active', [entryOf(unconfirmed)]: 'void' });
  // Closed late: the tickets still expired at the closing time.
  await update(unconfirmed, { email_confirmed_at: new Date() });
  await db.transaction().execute((tx) => closePeriod(tx, context, { id: april.periodId }));
  expect(
    (await listEntriesOfUser(db, unconfirmed._id, { id: april.periodId })).map(({ status, expiryDate }) => [status, expiryDate]),
  ).toEqual([['drawn', `${year}-04-30T11:30:00.000Z`]]);
});

test('proves inclusion in every head and consistency between all sizes', async () => {
  const user = await person();
  const issued: { entryId: string; head: string }[] = [];
  for (let made = 0; made < 7; made += 1) issued.push(await issue(user));
  await voidThese([issued[2]?.entryId ?? '']);
  const { leaves } = await log();
  const { rootsAt } = replayLog(leaves, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  const rootAt = (size: number) => rootsAt.get(size) ?? new Uint8Array();
  for (const [index, { entryId }] of issued.entries()) {
    for (const size of [undefined, index + 1, 7]) {
      const { status, body, headers } = await prove(`inclusion?entry=${entryId}${size === undefined ? '' : `&size=${size}`}`);
      expect([status, body.index, body.size, body.leaf]).toEqual([200, index, size ?? 8, leaves[index]]);
      expect(verifyInclusion({ leaf: hashLeaf(body.leaf), index, size: body.size, path: bytes(body.path), root: rootAt(body.size) })).toBe(
        true,
      );
      expect(headers['cache-control']).toBe(size === undefined ? 'no-store' : forEver);
    }
  }
  for (let to = 0; to <= 8; to += 1) {
    for (let from = 0; from <= to; from += 1) {
      const { body, headers } = await prove(`consistency?from=${from}&to=${to}`);
      expect(verifyConsistency({ from, to, fromRoot: rootAt(from), toRoot: rootAt(to), path: bytes(body.path) })).toBe(true);
      expect(headers['cache-control']).toBe(forEver);
    }
  }
});

test('rejects requests beyond the log with a clear error', async () => {
  const user = await person();
  const { entryId } = await issue(user);
  const { entryId: second } = await issue(user);
  const answers = await Promise.all(
    [
      'consistency?from=0&to=3',
      'consistency?from=2&to=1',
      `inclusion?entry=${entryId}&size=3`,
      `inclusion?entry=${second}&size=1`,
      `inclusion?entry=${'0'.repeat(32)}`,
      'inclusion?entry=1',
      'consistency?from=0',
      'consistency?from=-1&to=1',
      'consistency?from=0&to=99999999999',
    ].map(async (path) => {
      const { status, body, headers } = await prove(path);
      expect(headers['cache-control']).toBe('no-store');
      return [status, body.code];
    }),
  );
  const beyond = [400, 'beyond_the_log'];
  expect(answers).toEqual([
    beyond,
    beyond,
    beyond,
    beyond,
    [404, 'entry_not_found'],
    [400, 'invalid_input'],
    [400, 'invalid_input'],
    [400, 'invalid_input'],
    beyond,
  ]);
  const log = async (query: string) => (await asVisitor.get(`/draws/${month()}/log${query}`)).body;
  expect((await log('?from=3')).code).toBe('beyond_the_log');
  expect((await log('?from=2&to=1')).code).toBe('beyond_the_log');
  expect(await log('?from=2')).toEqual({ size: 2, leaves: [] });
  expect(await log('?from=1&to=9')).toEqual({ size: 2, leaves: [expect.stringContaining(second)] });
  expect(await log('?from=1&to=1')).toEqual({ size: 2, leaves: [] });
  expect(await log('?from=0&to=1')).toEqual({ size: 2, leaves: [expect.stringContaining(entryId)] });
  for (const path of ['log', 'log.txt', 'log/checkpoint', `log/inclusion?entry=${entryId}`, 'log/consistency?from=0&to=0', 'terms']) {
    expect(await asVisitor.get(`/draws/2020-01/${path}`)).toMatchObject({ status: 404, body: { code: 'draw_period_not_found' } });
    expect(await asVisitor.get(`/draws/2031-13/${path}`)).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
  }
  // An entry is found in its own month only.
  clock.set(new Date(`${year}-07-10T00:00:00Z`));
  const { entryId: later } = await issue(user);
  expect(await prove(`inclusion?entry=${later}`)).toMatchObject({ status: 404, body: { code: 'entry_not_found' } });
});

test('voids an entry once, all entries of a call or none, and none after the draw has closed', async () => {
  const user = await person();
  const { entryId: one } = await issue(user, 5);
  const { entryId: two } = await issue(user);
  const { head } = await voidThese([one], 'swapped');
  expect(headOf(head).size).toBe(3);
  await expect(voidThese([one], 'fraud')).rejects.toThrow('already void');
  await expect(voidThese([two, one])).rejects.toThrow('already void');
  await expect(voidThese([])).rejects.toThrow('already void');
  await expect(voidThese([two, '0'.repeat(32)])).rejects.toThrow('already void');
  expect(await statuses(user)).toEqual({ [one]: 'void', [two]: 'active' });
  expect(await countTickets(db, { periodId: (await period()).id, userId: user._id })).toEqual({ tickets: 1, entries: 1, people: 1 });
  await close();
  await expect(voidThese([two])).rejects.toThrow('draw has closed');
  expect(await statuses(user)).toEqual({ [one]: 'void', [two]: 'drawn' });
  expect((await log()).leaves).toHaveLength(3);
});

test('voids entries of one month together, ignoring duplicates, but none across two months', async () => {
  const user = await person();
  clock.set(new Date(`${year}-04-10T00:00:00Z`));
  const { entryId: april } = await issue(user);
  clock.set(new Date(`${year}-05-10T00:00:00Z`));
  const [{ entryId: one }, { entryId: two }] = [await issue(user), await issue(user)];
  await expect(voidThese([april, one])).rejects.toThrow('already void');
  await voidThese([two, one, two]);
  expect(await statuses(user)).toEqual({ [april]: 'active', [one]: 'void', [two]: 'void' });
  expect((await log()).leaves.slice(2).map((leaf) => leaf.slice(0, 34))).toEqual([`- ${one}`, `- ${two}`]);
});

test('one of ten parallel calls voids an entry', async () => {
  const user = await person();
  const { entryId } = await issue(user, 5);
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => voidThese([entryId])));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await log()).size).toBe(2);
});

test('the log and the database accept every ticket source and void reason', async () => {
  const user = await person();
  for (const [place, source] of entrySources.entries()) {
    const { entryId } = await db.transaction().execute((tx) => issueTickets(tx, context, { userId: user._id, tickets: 1, source }));
    expect((await listEntriesOfUser(db, user._id)).find(({ id }) => id === entryId)).toMatchObject({ source, period: month() });
    expect((await log()).size).toBe(place + 1);
  }
  for (const reason of voidReasons) {
    const { entryId } = await issue(user);
    await db.transaction().execute((tx) => voidTickets(tx, context, [entryId], reason));
    expect((await log()).leaves.at(-1)).toContain(`- ${entryId} ${reason} `);
    expect((await listEntriesOfUser(db, user._id)).find(({ id }) => id === entryId)).toMatchObject({ status: 'void', voidReason: reason });
  }
  expect(replayLog((await log()).leaves).faults).toEqual([]);
});

test('serves ten thousand leaves per call and the whole log as text, cacheable once closed', async () => {
  const { id } = await running();
  const entryId = (place: number) => place.toString(16).padStart(32, '0');
  const total = 20_001;
  await db.transaction().execute(async (tx) => {
    const log = new TicketLogWriter(tx, await lockPeriod(tx, id));
    await log.append(
      Array.from({ length: total }, (_, place) => ({ kind: 'issued', entryId: entryId(year * 100_000 + place), tickets: 1 }) as const),
      clock.now(),
    );
    await log.sign(context);
  });
  const path = `/draws/${month()}/log`;
  const [first, second, last] = await Promise.all(['', '?from=10000&to=20001', '?from=20000'].map((query) => asVisitor.get(path + query)));
  expect([first?.body.leaves.length, second?.body.leaves.length, last?.body.leaves.length]).toEqual([10_000, 10_000, 1]);
  const whole = await asVisitor.get(`${path}.txt`);
  expect(whole.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(whole.body).toBe(`${[first, second, last].flatMap((part) => part?.body.leaves).join('\n')}\n`);
  expect([first?.headers['cache-control'], whole.headers['cache-control']]).toEqual(['no-store', 'no-store']);
  const { size, root } = headOf(await checkpoint());
  const replay = replayLog(parseLogText(whole.body as string));
  expect([size, Buffer.compare(root, replay.root), replay.faults]).toEqual([total, 0, []]);
  const proof = (await prove(`inclusion?entry=${entryId(0)}`)).body;
  expect(proof.code).toBe('entry_not_found');
  await close();
  expect((await asVisitor.get(`${path}?to=1`)).headers['cache-control']).toBe(forEver);
  expect((await asVisitor.get(`${path}.txt`)).headers['cache-control']).toBe(forEver);
});

test('serves an empty log as an empty text', async () => {
  await running();
  expect((await asVisitor.get(`/draws/${month()}/log.txt`)).body).toBe('');
  expect(await log()).toEqual({ size: 0, leaves: [] });
});

test('a ticket that waits while the month closes is issued in the next one', async () => {
  const user = await person();
  const { periodId } = await issue(user);
  let closing = () => {};
  const isClosing = new Promise<void>((done) => (closing = done));
  let go = () => {};
  const proceed = new Promise<void>((done) => (go = done));
  const closer = db.transaction().execute(async (tx) => {
    const closed = await closePeriod(tx, context, { id: periodId });
    closing();
    await proceed;
    return closed;
  });
  await isClosing;
  const late = issue(user, 2);
  await untilLockWaits(db);
  go();
  const closed = await closer;
  expect(closed).toMatchObject({ totalTickets: 1, log: { size: 1 } });
  expect((await late).periodId).not.toBe(periodId);
  expect(await listPeriods(db)).toContainEqual(
    expect.objectContaining({ year, month: 6, startsAt: closed?.closedAt, closedAt: null, logSize: 1 }),
  );
  expect(
    (await listEntriesOfUser(db, user._id)).map(({ period, tickets, status, expiryDate }) => [period, tickets, status, expiryDate]),
  ).toEqual([
    [`${year}-06`, 2, 'active', `${year}-06-30T11:30:00.000Z`],
    [month(), 1, 'drawn', closed?.closedAt.toISOString()],
  ]);
});

test('closes a month once, also without any tickets', async () => {
  const { id } = await running();
  const closed = await close();
  expect(closed).toMatchObject({ entries: [], totalTickets: 0, participants: 0, log: { size: 0 } });
  expect(await db.transaction().execute((tx) => closePeriod(tx, context, { id }))).toBeUndefined();
});

test('twenty parallel issues create one month and all get their tickets in it', async () => {
  const user = await person();
  const issued = await Promise.all(Array.from({ length: 20 }, () => issue(user)));
  expect(new Set(issued.map(({ periodId }) => periodId)).size).toBe(1);
  expect((await listPeriods(db)).filter((one) => one.year === year)).toHaveLength(1);
});

test('limits log reads to three hundred a minute per network and whole logs to twenty', async () => {
  await running();
  const read = async (path: string, times: number, address: string) => {
    const statuses: number[] = [];
    // In batches, because concurrent calls per network are limited.
    for (let done = 0; done < times; done += 50) {
      const some = Array.from({ length: Math.min(50, times - done) }, () => callers.from(address).get(`/draws/${month()}/${path}`));
      statuses.push(...(await Promise.all(some)).map(({ status }) => status));
    }
    return statuses.filter((status) => status !== 200);
  };
  expect(await read('log.txt', 20, '203.0.113.21')).toEqual([]);
  expect(await read('log.txt', 1, '203.0.113.21')).toEqual([429]);
  expect(await read('log.txt', 1, '203.0.113.22')).toEqual([]);
  expect(await read('log', 300, '203.0.113.21')).toEqual([]);
  expect(await read('log', 1, '203.0.113.21')).toEqual([429]);
  expect(await read('log', 1, '203.0.113.22')).toEqual([]);
});

test('logs an error when LOG_KEY is not the key in the terms', async () => {
  await running();
  const countWarnings = () =>
    parts.logged.filter((line) => line.includes(`LOG_KEY is not the key that the terms of ${month()} name`)).length;
  await ensurePeriod(context);
  expect(countWarnings()).toBe(0);
  await ensurePeriod({ ...context, logKey: createLogSigner(Buffer.alloc(32, 1)) });
  expect(countWarnings()).toBe(1);
});

const action = fc.oneof(
  fc.record({ kind: fc.constant('issue' as const), tickets: fc.integer({ min: 1, max: 50 }) }),
  fc.record({ kind: fc.constant('void' as const), which: fc.nat() }),
  fc.record({ kind: fc.constant('roll back' as const) }),
);

test('after random issues, voids and rollbacks the log replays to the entries and each head covers a prefix of it', async () => {
  const user = await person();
  const active = new Map<string, number>();
  const rejections: string[] = [];
  // Includes a rollback of the first step, which also rolls back the creation of the month.
  const { id } = await running();
  const heads: ReturnType<typeof headOf>[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 8 }), async (actions) => {
      for (const one of actions) {
        const [chosen] = [...active.keys()].slice(one.kind === 'void' ? one.which % Math.max(1, active.size) : 0);
        if (one.kind === 'issue') {
          const { entryId, head } = await issue(user, one.tickets);
          active.set(entryId, one.tickets);
          heads.push(headOf(head));
        } else if (one.kind === 'void' && chosen) {
          heads.push(headOf((await voidThese([chosen])).head));
          active.delete(chosen);
        } else {
          const undone = db.transaction().execute(async (tx) => {
            await issueTickets(tx, context, { userId: user._id, tickets: 9, source: 'listing' });
            throw new Error('rolled back');
          });
          rejections.push(await undone.then(() => 'issued', String));
        }
      }
      const { leaves } = await log();
      const replay = replayLog(
        leaves,
        heads.map(({ size }) => size),
      );
      expect(replay.faults).toEqual([]);
      expect(new Map(replay.entries.map(({ id, tickets }) => [id, tickets]))).toEqual(active);
      expect(await countTickets(db, { periodId: id })).toMatchObject({
        tickets: [...active.values()].reduce((total, one) => total + one, 0),
        entries: active.size,
      });
      for (const head of heads) expect(Buffer.compare(head.root, replay.rootsAt.get(head.size) ?? Buffer.of())).toBe(0);
    }),
    { numRuns: 12 },
  );
  expect(rejections.filter((one) => one !== 'Error: rolled back')).toEqual([]);
  expect([...(await listEntryFaults(db, id)), ...(await listTreeFaults(db, id))]).toEqual([]);
});
