import { randomUUID } from 'node:crypto';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { verifyDraw } from '@handwise/proof/verify';
import { testApp } from '@handwise/sandbox/testing/app';
import { untilLockWaits } from '@handwise/sandbox/testing/lock-waits';
import type { Tx } from '../../kit/database/database.ts';
import { ensurePeriod, issueTickets } from '../tickets/tickets.service.ts';
import { type DrawRow, insertClaim, listPicks, lockDraw } from './draws.queries.ts';
import { closeDueDraws, completeDueDraws, followUpWinners } from './draws.service.ts';
import { movePrize } from './draws.states.ts';
import { findCurrentPick, passPrizeOn } from './draws.winners.ts';

// Users with several entries in one draw, and several draws due at once.

const { app, db, given, callers, beacon, outbox, parts } = await testApp();
const { as, asVisitor } = callers;
const { clock, context, logged } = parts;

const minute = 60_000;
const day = 24 * 60 * minute;
const after = (time: Date, ms: number) => new Date(time.getTime() + ms);

let year = 2030;
let closes = new Date();
beforeEach(() => {
  year += 1;
  closes = new Date(`${year}-06-30T11:30:00Z`);
  clock.set(new Date(`${year}-06-10T00:00:00Z`));
  beacon.setFault(null);
  logged.length = 0;
});

type Member = Awaited<ReturnType<typeof given.member>>;
const june = () => `${year}-06`;

/** A user with one entry of each of these sizes in the running month. */
async function entrant(...tickets: number[]) {
  const member = await given.member();
  const entries: string[] = [];
  for (const one of tickets) {
    const issued = await db
      .transaction()
      .execute((tx) => issueTickets(tx, context, { userId: member._id, tickets: one, source: 'signup' }));
    entries.push(issued.entryId);
  }
  return { ...member, entries };
}

async function signIn<M extends Member>(member: M): Promise<M> {
  const { body } = await asVisitor.post('/auth/login', { email: member.email, password: 'correct-horse' });
  return { ...member, token: body.data.token };
}

async function finishMonth() {
  clock.set(closes);
  await closeDueDraws(context);
  clock.set(after(closes, 6 * minute));
  await completeDueDraws(context);
}

type Published = { entryId: string; samePerson?: string[] };
const proofText = async () => (await app.inject({ url: `/api/draws/${june()}/proof`, remoteAddress: '127.0.0.1' })).payload;
/** The public proof of the draw, which must verify. */
async function verifiedRecord() {
  const proof = await proofText();
  const log = (await app.inject({ url: `/api/draws/${june()}/log.txt`, remoteAddress: '127.0.0.1' })).payload;
  const verdict = verifyDraw({ proof, log });
  expect(verdict.steps.filter(({ state }) => state === 'failed')).toEqual([]);
  return JSON.parse(proof) as { winner: Published | null; reserves: Published[]; struck: Published[] };
}

type Entrant = Awaited<ReturnType<typeof entrant>>;
const administrator = async () => {
  const member = await given.member();
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', member._id).execute();
  return member;
};
const loses = {
  'is struck': async (_: Entrant, draw: string) => {
    const { status } = await as(await administrator()).post(`/admin/draws/${draw}/strike`, { reason: 'The ticket was bought.' });
    expect(status).toBe(200);
  },
  'lets the prize lapse': async () => {
    clock.set(after(clock.now(), 30 * day + minute));
    await followUpWinners(context);
  },
  leaves: async (winner: Entrant) => {
    expect((await as(await signIn(winner)).delete('/auth/account', { currentPassword: 'correct-horse' })).status).toBe(200);
  },
};

test.each(Object.entries(loses))('a winner who %s cannot win the same draw with another entry', async (_, lose) => {
  const people = [await entrant(1, 2, 1), await entrant(3, 1), await entrant(2)];
  await finishMonth();
  const first = JSON.parse(await proofText()) as { winner: Published; reserves: Published[] };
  const order = [first.winner, ...first.reserves].map(({ entryId }) => entryId);
  const ownerOf = (entryId: string) => people.find(({ entries }) => entries.includes(entryId));
  const owners = [...new Set(order.map(ownerOf))];
  expect([order.length, owners.length]).toEqual([6, 3]);
  const { draw } = (await asVisitor.get(`/draws/${june()}`)).body;
  const { id } = await db.selectFrom('draws').select('id').where('closed_at', '=', new Date(draw.closedAt)).executeTakeFirstOrThrow();

  const struckOwners: (Entrant | undefined)[] = [];
  for (const owner of owners) {
    if (!owner) throw new Error('an entry of nobody was drawn');
    const record = await verifiedRecord();
    const left = order.filter((entryId) => !struckOwners.includes(ownerOf(entryId)));
    expect([record.winner?.entryId, ...record.reserves.map(({ entryId }) => entryId)]).toEqual(left);
    await lose(owner, id);
    struckOwners.push(owner);
  }
  const last = await verifiedRecord();
  expect([last.winner, last.reserves]).toEqual([null, []]);
  expect(last.struck.map(({ entryId, samePerson }) => ({ entryId, samePerson }))).toEqual(
    owners.map((owner) => {
      const [entryId, ...samePerson] = order.filter((one) => ownerOf(one) === owner);
      return { entryId, samePerson };
    }),
  );
  expect((await asVisitor.get(`/draws/${june()}`)).body.draw).toMatchObject({ outcome: 'not_awarded', struck: last.struck });
});

test('strikes users suspended since the closing once each and passes over their other entries', async () => {
  const people = [await entrant(1, 1, 1), await entrant(1, 1)];
  clock.set(closes);
  await closeDueDraws(context);
  for (const { _id } of people) await db.updateTable('users').set({ suspended_at: clock.now() }).where('id', '=', _id).execute();
  clock.set(after(closes, 6 * minute));
  await completeDueDraws(context);
  const { winner, reserves, struck } = await verifiedRecord();
  expect([winner, reserves]).toEqual([null, []]);
  const entriesOfEach = struck.map(({ entryId, samePerson = [] }) => new Set([entryId, ...samePerson]));
  expect(new Set(entriesOfEach)).toEqual(new Set(people.map(({ entries }) => new Set(entries))));

  const { pastDraws } = (await as(await administrator()).get('/admin/draw-management')).body;
  expect(pastDraws[0]).toMatchObject({ reservesLeft: 0, struck });
});

/** Runs `work` under the draw's lock while `rival` waits for it. */
async function beforeRival(
  drawId: string,
  work: (tx: Tx, draw: DrawRow) => Promise<unknown>,
  rival: () => Promise<unknown>,
): Promise<void> {
  let waiting: Promise<unknown> | undefined;
  await db.transaction().execute(async (tx) => {
    const draw = await lockDraw(tx, drawId);
    if (!draw) throw new Error('there is no such draw');
    waiting = rival();
    await untilLockWaits(db);
    await work(tx, draw);
  });
  await waiting;
}

async function claimPrize(tx: Tx, draw: DrawRow): Promise<void> {
  const pick = findCurrentPick(await listPicks(tx, [draw.id]));
  const claim = { id: randomUUID(), pick_id: pick?.id ?? '', currency: 'NZD', claimed_at: clock.now() } as const;
  await insertClaim(tx, claim, context.keyring.seal('{}', claim.id));
  await movePrize(tx, draw, 'claimed');
}

/** A draw of two people; returns its id and the winner. */
async function drawOfTwo() {
  const people = [await entrant(1), await entrant(1)];
  await finishMonth();
  const { winner } = (await asVisitor.get(`/draws/${june()}`)).body.draw;
  const won = people.find(({ entries }) => entries.includes(winner.entryId));
  if (!won) throw new Error('one of the two won');
  const { id } = await db.selectFrom('draws').select('id').orderBy('closed_at', 'desc').limit(1).executeTakeFirstOrThrow();
  return { id, won };
}

const remindersTo = async ({ email }: Member) =>
  (await outbox.mails()).filter(({ to, subject }) => to === email && subject.includes('is waiting until')).length;

test('a winner who claims while the reminder waits for the draw is not reminded', async () => {
  const { id, won } = await drawOfTwo();
  clock.set(after(clock.now(), 8 * day));
  await beforeRival(id, claimPrize, () => followUpWinners(context));
  expect(await remindersTo(won)).toBe(0);
});

test('a prize claimed while its winner’s account is being deleted stays claimed', async () => {
  const { id, won } = await drawOfTwo();
  await beforeRival(id, claimPrize, () => loses.leaves(won));
  expect((await asVisitor.get(`/draws/${june()}`)).body.draw).toMatchObject({ winner: { prize: 'claimed' }, struck: [] });
});

test('a winner struck while claiming gets no claim', async () => {
  const { id, won } = await drawOfTwo();
  const signedIn = as(await signIn(won));
  let answer: Awaited<ReturnType<typeof signedIn.post>> | undefined;
  await beforeRival(
    id,
    (tx, draw) => passPrizeOn(tx, context, draw, 'The ticket was bought.'),
    async () => {
      answer = await signedIn.post('/referral/payment-details', {
        bankName: 'Kiwibank',
        livesIn: 'NZ',
        accountHolder: 'Mere Wairemana',
        accountNumber: '38-9000-0765434-00',
      });
    },
  );
  expect(answer).toMatchObject({ status: 403, body: { code: 'not_draw_winner' } });
  expect(
    await db
      .selectFrom('prize_claims')
      .innerJoin('draw_picks', 'draw_picks.id', 'pick_id')
      .select('entry_id')
      .where('draw_id', '=', id)
      .execute(),
  ).toEqual([]);
});

test('a winner struck while the account is being deleted loses the prize once', async () => {
  const { id, won } = await drawOfTwo();
  await beforeRival(
    id,
    (tx, draw) => passPrizeOn(tx, context, draw, 'The ticket was bought.'),
    () => loses.leaves(won),
  );
  expect((await asVisitor.get(`/draws/${june()}`)).body.draw).toMatchObject({
    winner: { place: 1, prize: 'pending' },
    struck: [{ entryId: won.entries[0], reason: 'The ticket was bought.' }],
  });
});

test('reminds a second winner although reminding the first fails', async () => {
  const { won } = await drawOfTwo();
  clock.set(new Date(`${year}-07-10T00:00:00Z`));
  const only = await entrant(1);
  const { body } = await as(await administrator()).post('/admin/run-draw');
  clock.set(new Date(body.expectedAt));
  await completeDueDraws(context);
  clock.set(new Date(`${year}-07-18T00:00:00Z`));
  const { send } = context.jobs;
  let failures = 1;
  context.jobs.send = async (...args: Parameters<typeof send>) => {
    const [, , mail] = args;
    if ([won.email, only.email].some((email) => JSON.stringify(mail).includes(email)) && failures-- > 0)
      throw new Error('the queue is full');
    return send.apply(context.jobs, args);
  };
  try {
    await followUpWinners(context);
  } finally {
    context.jobs.send = send;
  }
  expect((await remindersTo(won)) + (await remindersTo(only))).toBe(1);
  expect(logged.filter((line) => line.includes('a winner could not be followed up'))).toHaveLength(1);
  await followUpWinners(context);
  expect([await remindersTo(won), await remindersTo(only)]).toEqual([1, 1]);
});

test('waits, and says so, while the announced round is due but not published yet', async () => {
  await entrant(1);
  clock.set(closes);
  await closeDueDraws(context);
  clock.set(after(closes, 6 * minute));
  const usual = context.beacon;
  context.beacon = { ...usual, signatureOf: async () => null };
  try {
    await completeDueDraws(context);
  } finally {
    context.beacon = usual;
  }
  expect((await asVisitor.get(`/draws/${june()}`)).body.draw).toMatchObject({ status: 'waiting', winner: null });
  expect(logged.filter((line) => line.includes('the announced round is due but not published yet'))).toHaveLength(1);
  await completeDueDraws(context);
  expect((await asVisitor.get(`/draws/${june()}`)).body.draw.status).toBe('completed');
});

test('lists the promotion rules that the current draw does not meet where it is open', async () => {
  const { findPromotion } = context;
  onTestFinished(() => void Object.assign(context, { findPromotion }));
  context.findPromotion = async () => ({ prize: '1000', permitNsw: '', permitSa: 'T26/1', permitAct: '', permitNt: '' });
  await ensurePeriod(context);
  const { unmetRules } = (await as(await administrator()).get('/admin/draw-management')).body;
  expect(unmetRules).toEqual([{ place: 'SA', what: 'The winner’s postcode is to be published; it is not.' }]);
});

test('closes and draws a second due month although the first fails', async () => {
  await entrant(1);
  clock.set(new Date(`${year}-07-10T00:00:00Z`));
  await entrant(2);
  const statuses = () =>
    Promise.all([6, 7].map(async (month) => (await asVisitor.get(`/draws/${year}-0${month}`)).body.draw.status as string));
  clock.set(new Date(`${year}-07-31T11:30:00Z`));
  const { send } = context.jobs;
  let failures = 1;
  context.jobs.send = async (...args: Parameters<typeof send>) => {
    if (failures-- > 0) throw new Error('the queue is full');
    return send.apply(context.jobs, args);
  };
  try {
    await closeDueDraws(context);
  } finally {
    context.jobs.send = send;
  }
  expect(await statuses()).toEqual(['open', 'waiting']);
  expect(logged.filter((line) => line.includes('a month could not be closed'))).toHaveLength(1);
  await closeDueDraws(context);
  expect(await statuses()).toEqual(['waiting', 'waiting']);

  // Both use the same beacon, which lacks the round of the first one.
  clock.set(new Date(`${year}-07-31T11:40:00Z`));
  const usual = context.beacon;
  let unread = 1;
  context.beacon = {
    ...usual,
    signatureOf: async (round: number) => {
      if (unread-- > 0) throw new Error('the beacon answered 500');
      return usual.signatureOf(round);
    },
  };
  try {
    await completeDueDraws(context);
  } finally {
    context.beacon = usual;
  }
  expect((await statuses()).toSorted()).toEqual(['completed', 'waiting']);
  await completeDueDraws(context);
  expect(await statuses()).toEqual(['completed', 'completed']);
});

test('unknown months and draw ids are not found', async () => {
  const admin = await given.administrator();
  for (const path of ['', '/proof', '/pack'])
    expect((await asVisitor.get(`/draws/2021-01${path}`)).body.code).toBe('draw_period_not_found');
  expect((await asVisitor.get('/draws/2026-13')).status).toBe(400);
  for (const call of [`/admin/process-payment/${randomUUID()}`, `/admin/draws/${randomUUID()}/strike`]) {
    expect((await as(admin).post(call, { reason: 'None.' })).body.code).toBe('draw_not_found');
  }
  const member = await given.user();
  for (const user of [as(member), asVisitor]) {
    expect([(await user.post('/admin/run-draw')).status, (await user.get('/admin/draw-management')).status]).toEqual(
      user === asVisitor ? [401, 401] : [403, 403],
    );
  }
});
