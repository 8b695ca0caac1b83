import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { firstRoundFrom, deriveRandomness, roundTime, sandboxChain, verifyRound } from '@handwise/proof/beacon';
import { hashEntry, pickEntries, computeEntriesRoot, sortEntries } from '@handwise/proof/draw';
import { signSandboxRound } from '@handwise/proof/sandbox-key';
import { verifyInclusion } from '@handwise/proof/tree';
import { verifyDraw } from '@handwise/proof/verify';
import { testApp } from '@handwise/sandbox/testing/app';
import { unzipped } from '@handwise/sandbox/testing/zip';
import { Keyring, type Sealed } from '../../kit/secrets/keys.ts';
import { issueTickets, voidTickets } from '../tickets/tickets.service.ts';
import { decryptClaim } from './draws.claims.ts';
import { closeDueDraws, completeDueDraws, erasePaidClaims, followUpWinners, reencryptClaims } from './draws.service.ts';

const { app, db, given, callers, beacon, outbox, parts } = await testApp();
const { as, asVisitor } = callers;
const { clock, context, logged } = parts;

const second = 1000;
const day = 86_400 * second;
const after = (time: Date, ms: number) => new Date(time.getTime() + ms);

// Each test has its own month, so that none sees what another one left open.
let year = 2030;
let period = '';
let opens = new Date();
let closes = new Date();
beforeEach(async () => {
  year += 1;
  period = `${year}-06`;
  // June has no clock change: New Zealand is at UTC+12.
  opens = new Date(`${year}-06-10T00:00:00Z`);
  closes = new Date(`${year}-06-30T11:30:00Z`);
  clock.set(opens);
  beacon.setFault(null);
  logged.length = 0;
});

type User = Awaited<ReturnType<typeof given.user>>;

const confirm = (userId: string) => db.updateTable('users').set({ email_confirmed_at: clock.now() }).where('id', '=', userId).execute();
const grantTickets = (userId: string, tickets: number) =>
  db.transaction().execute((tx) => issueTickets(tx, context, { userId, tickets, source: 'signup' }));

/** A user with a confirmed address and tickets of this month. */
async function entrant(tickets = 1) {
  const user = await given.user();
  await confirm(user._id);
  return { ...user, tickets, entryId: (await grantTickets(user._id, tickets)).entryId };
}

async function administrator() {
  const user = await given.user();
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', user._id).execute();
  return user;
}

/** Signs a user in again after time has passed. */
async function again<U extends User>(user: U): Promise<U> {
  const { body } = await asVisitor.post('/auth/login', { email: user.email, password: 'correct-horse' });
  return { ...user, token: body.data.token };
}

async function endMonth() {
  clock.set(closes);
  await closeDueDraws(context);
}

/** Ends the month and publishes its round. */
async function finishMonth() {
  await endMonth();
  clock.set(after(closes, 310 * second));
  await completeDueDraws(context);
}

const proof = async () => (await asVisitor.get(`/draws/${period}/proof`)).body;
/** Verifies the draw from published files and optionally an email. */
async function verified(mail?: string) {
  const [file, log] = await Promise.all(
    ['proof', 'log.txt'].map(
      async (name) => (await app.inject({ url: `/api/draws/${period}/${name}`, remoteAddress: '127.0.0.1' })).payload,
    ),
  );
  const { steps, isValid, isDrawn, winner } = verifyDraw({ proof: file ?? '', log, mail });
  return { fails: steps.filter(({ state }) => state === 'failed'), isValid, isDrawn, winner: winner?.entryId ?? null };
}
const published = async () => (await asVisitor.get(`/draws/${period}`)).body.draw;
const drawId = async () =>
  (await db.selectFrom('draw_periods').select('id').where('year', '=', year).where('month', '=', 6).executeTakeFirstOrThrow()).id;
const mailsTo = async (user: { email: string }, subject: RegExp) =>
  (await outbox.mails()).filter((mail) => mail.to === user.email && subject.test(mail.subject));
const statusesOf = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);
const won = /won the monthly draw/;
const bank = { bankName: 'Kiwibank', livesIn: 'NZ', accountHolder: 'Mere Wairemana', accountNumber: '38-9000-0765434-00' };
const { livesIn: _, ...secret } = bank;
const secrets = Object.values(secret);

// First, because its month precedes those of the other tests.
test('closes at half past eleven daylight time on the day of a clock change', async () => {
  clock.set(new Date('2029-09-20T00:00:00Z'));
  await entrant();
  clock.set(new Date('2029-09-30T10:29:50Z'));
  await closeDueDraws(context);
  expect((await asVisitor.get('/draws/2029-09')).body.draw).toMatchObject({ closesAt: '2029-09-30T10:30:00.000Z', status: 'open' });
  clock.set(new Date('2029-09-30T10:30:00Z'));
  await closeDueDraws(context);
  expect((await asVisitor.get('/draws/2029-09')).body.draw.status).toBe('waiting');
});

test('closes a month at half past eleven, publishes the frozen entries and is decided by the announced round alone', async () => {
  const entrants = [await entrant(3), await entrant(1), await entrant(2)];
  expect((await asVisitor.get(`/draws/${period}/proof`)).body.code).toBe('draw_still_open');
  expect(await published()).toMatchObject({
    status: 'open',
    totalTickets: 6,
    totalEntries: 6,
    entryCount: 3,
    totalParticipants: 3,
    root: null,
    round: null,
    winner: null,
  });

  clock.set(after(closes, -5 * second));
  await closeDueDraws(context);
  expect((await published()).status).toBe('open');

  await endMonth();
  const commitment = await proof();
  const sorted = sortEntries(entrants.map(({ entryId: id, tickets }) => ({ id, tickets })));
  expect(commitment).toMatchObject({ algorithm: 'draw-v1', year, month: 6, entries: sorted, totalTickets: 6, struck: [] });
  expect(commitment.root).toBe(computeEntriesRoot(sorted));
  expect(commitment.log).toMatchObject({ origin: `localhost:3000/draws/${period}`, size: 3 });
  expect(Object.keys(commitment)).not.toEqual(expect.arrayContaining(['winner', 'reserves']));
  expect(await verified()).toEqual({ fails: [], isValid: true, isDrawn: false, winner: null });
  const { round, announcedAt } = commitment.beacon;
  expect([commitment.beacon.signature, commitment.beacon.randomness]).toEqual([undefined, undefined]);
  expect(round).toBe(firstRoundFrom(sandboxChain, Date.parse(commitment.closedAt) + 300 * second));
  expect(Date.parse(announcedAt)).toBeLessThan(roundTime(sandboxChain, round));
  expect(await published()).toMatchObject({
    status: 'waiting',
    root: commitment.root,
    outcome: null,
    winner: null,
    round: { number: round, chain: 'sandbox', late: false },
  });

  await completeDueDraws(context);
  expect((await published()).status).toBe('waiting');
  clock.set(new Date(roundTime(sandboxChain, round)));
  await completeDueDraws(context);
  await completeDueDraws(context);
  const full = await proof();
  expect({
    ...full,
    beacon: { ...full.beacon, signature: undefined, randomness: undefined },
    winner: undefined,
    reserves: undefined,
  }).toEqual({
    ...commitment,
    beacon: { ...commitment.beacon, signature: undefined, randomness: undefined },
  });
  expect(verifyRound(sandboxChain, round, full.beacon.signature)).toBe(true);
  expect(full.beacon.randomness).toBe(deriveRandomness(full.beacon.signature));
  expect([full.winner, ...full.reserves]).toEqual(pickEntries(sorted, full.beacon.randomness, full.root));

  const winner = entrants.find(({ entryId }) => entryId === full.winner.entryId);
  expect(await published()).toMatchObject({
    status: 'completed',
    outcome: 'drawn',
    winner: { name: 'Mere K.', place: 0, prize: 'pending' },
  });
  for (const one of entrants) expect(await mailsTo(one, won)).toHaveLength(one === winner ? 1 : 0);
  const [mail] = winner ? await mailsTo(winner, won) : [];
  expect(mail?.blocks.at(-1)).toMatchObject({ kind: 'fixed', text: full.log.checkpoint.trimEnd() });
  expect(await verified(full.log.checkpoint)).toEqual({ fails: [], isValid: true, isDrawn: true, winner: full.winner.entryId });
});

test('closes a month late with only the entries that were in time', async () => {
  const inTime = await entrant(2);
  clock.set(after(closes, 3 * day));
  const late = await entrant(4);
  await closeDueDraws(context);
  const { entries, closedAt, beacon: announced } = await proof();
  expect(entries).toEqual([{ id: inTime.entryId, tickets: 2 }]);
  expect(Date.parse(closedAt)).toBeGreaterThanOrEqual(closes.getTime() + 3 * day);
  expect(announced.round).toBe(firstRoundFrom(sandboxChain, Date.parse(closedAt) + 300 * second));
  const { body } = await as(await again(late)).get('/draws/mine');
  expect(body.entries).toMatchObject([{ id: late.entryId, period: `${year}-07`, status: 'active', proof: null }]);
});

test('a month without eligible entries completes without a winner, and running it by hand leaves it open', async () => {
  const admin = await administrator();
  expect((await as(admin).post('/admin/run-draw')).body).toMatchObject({
    code: 'no_entries_to_draw',
    message: 'There are no entries to draw from.',
  });
  const unconfirmed = await given.user();
  await grantTickets(unconfirmed._id, 2);
  expect((await as(admin).post('/admin/run-draw')).body.code).toBe('no_entries_to_draw');
  expect(await published()).toMatchObject({ status: 'open', totalTickets: 2 });

  await finishMonth();
  expect(await published()).toMatchObject({ status: 'completed', outcome: 'no_entries', totalTickets: 0, round: null, winner: null });
  expect(await proof()).toMatchObject({ beacon: null, entries: [], winner: null, reserves: [], voided: { unconfirmed: 1 } });
  expect(await verified()).toEqual({ fails: [], isValid: true, isDrawn: true, winner: null });
  const { body } = await as(await again(admin)).get('/admin/draw-management');
  expect(body.pastDraws[0]).toMatchObject({ month: 5, year, status: 'completed', outcome: 'no_entries', winner: null, waiting: null });
});

test('voids entries of ineligible users at closing and counts them by reason', async () => {
  const allowed = await entrant(1);
  const [admin, suspended, deleted, swapped, fraud] = [
    await entrant(9),
    await entrant(9),
    await entrant(9),
    await entrant(9),
    await entrant(9),
  ];
  const unconfirmed = await given.user();
  await grantTickets(unconfirmed._id, 9);
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', admin._id).execute();
  await db.updateTable('users').set({ suspended_at: clock.now() }).where('id', '=', suspended._id).execute();
  expect((await as(deleted).delete('/auth/account', { currentPassword: 'correct-horse' })).status).toBe(200);
  await db.transaction().execute((tx) => voidTickets(tx, context, [swapped.entryId], 'swapped'));
  await db.transaction().execute((tx) => voidTickets(tx, context, [fraud.entryId], 'fraud'));
  await finishMonth();
  expect(await proof()).toMatchObject({
    entries: [{ id: allowed.entryId, tickets: 1 }],
    totalTickets: 1,
    voided: { administrator: 1, suspended: 1, deleted: 1, swapped: 1, fraud: 1, unconfirmed: 1 },
    winner: { entryId: allowed.entryId, ticketIndex: 0 },
  });
});

test('counts participants by person, not by entry', async () => {
  const admin = await administrator();
  const [busy] = [await entrant(2), await entrant()];
  await grantTickets(busy._id, 5);
  await grantTickets(busy._id, 1);
  expect(await published()).toMatchObject({ totalTickets: 9, totalParticipants: 2 });
  const management = async () => (await as(admin).get('/admin/draw-management')).body;
  expect(await management()).toMatchObject({ totalParticipants: 2, currentDraw: { totalParticipants: 2 } });
  await finishMonth();
  expect(await published()).toMatchObject({ status: 'completed', totalTickets: 9, totalParticipants: 2 });
});

test('a draw run by hand waits half a minute for its round, stays the current one and sends new tickets to next month', async () => {
  const early = await entrant(2);
  const admin = await administrator();
  const before = clock.now();
  const { status, body } = await as(admin).post('/admin/run-draw', { reason: 'The campaign ends today.' });
  expect([status, body.round]).toEqual([202, firstRoundFrom(sandboxChain, Date.parse((await proof()).closedAt) + 30 * second)]);
  const expected = Date.parse(body.expectedAt) - before.getTime();
  expect(expected).toBeGreaterThanOrEqual(30 * second);
  // The beacon is asked a second after the round is out.
  const { rows } = await sql<{ seconds: number }>`select extract(epoch from start_after - created_on)::float as seconds
    from pgboss.job where name = 'draws.find-round' and data->>'drawId' = ${await drawId()}`.execute(db);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.seconds).toBeGreaterThan(expected / second);
  expect(rows[0]?.seconds).toBeLessThan(expected / second + 3);
  const logged = await db.selectFrom('audit_log').select('what').where('actor_id', '=', admin._id).execute();
  expect(logged.map(({ what }) => what)).toEqual(expect.arrayContaining(['draws.insert', 'draw_actions.insert']));
  const late = await entrant(5);
  const waiting = (await as(admin).get('/admin/draw-management')).body;
  expect(waiting).toMatchObject({
    currentDraw: {
      month: 5,
      year,
      status: 'waiting',
      waiting: { round: body.round, late: false },
      totalEntries: 2,
      entryCount: 1,
      winner: null,
      paymentStatus: 'pending',
    },
    totalEntries: 2,
    entryCount: 1,
    totalParticipants: 1,
  });
  expect(waiting.currentDraw.waiting.seconds).toBeGreaterThan(0);
  expect(waiting.currentDraw.waiting.seconds).toBeLessThanOrEqual(34);
  expect((await as(admin).post('/admin/run-draw')).body.code).toBe('draw_run_already');

  clock.set(new Date(body.expectedAt));
  await completeDueDraws(context);
  const done = (await as(admin).get('/admin/draw-management')).body;
  expect(done.currentDraw).toMatchObject({
    status: 'completed',
    waiting: null,
    outcome: 'drawn',
    winner: { userId: { _id: early._id, fullName: 'Mere Kingi', email: early.email }, entries: 2, entryId: early.entryId },
    paymentStatus: 'pending',
    claimBy: expect.stringContaining(`${year}-07-10T`),
  });
  expect(done.pendingPayments).toBe(waiting.pendingPayments + 1);
  expect((await as(admin).post('/admin/run-draw')).body.code).toBe('draw_run_already');
  expect((await as(late).get('/draws/mine')).body.entries).toMatchObject([{ period: `${year}-07`, status: 'active' }]);

  clock.set(after(closes, second));
  await closeDueDraws(context);
  const next = (await as(await again(admin)).get('/admin/draw-management')).body;
  expect(next.currentDraw).toMatchObject({ month: 6, year, status: 'pending', totalEntries: 5 });
  expect(next.pastDraws[0]).toMatchObject({ month: 5, year, status: 'completed' });
  expect((await asVisitor.get(`/draws/${period}`)).body.draw.struck).toEqual([]);
});

test('fifty parallel runs by hand and by the clock make one draw, one winner and one email', async () => {
  const only = await entrant();
  const admin = await administrator();
  clock.set(after(closes, -20 * second));
  const token = await again(admin);
  const attempts = await Promise.all(Array.from({ length: 50 }, () => as(token).post('/admin/run-draw')));
  expect(statusesOf(attempts)).toEqual([202, ...Array<number>(49).fill(409)]);
  clock.set(after(closes, 400 * second));
  await Promise.all(Array.from({ length: 10 }, () => closeDueDraws(context)));
  await Promise.all(Array.from({ length: 20 }, () => completeDueDraws(context)));
  expect(await mailsTo(only, won)).toHaveLength(1);
  // The later runs found it done and did not fail.
  expect(logged.filter((line) => line.includes('the draw waits'))).toEqual([]);
  expect(await published()).toMatchObject({ status: 'completed', winner: { entryId: only.entryId } });
  const actions = await db
    .selectFrom('draw_actions')
    .select(['action', 'administrator_id'])
    .where('draw_id', '=', await drawId())
    .execute();
  expect(actions).toEqual([{ action: 'run', administrator_id: admin._id }]);
});

test.each(['down', 'wrong-signature', 'other-round'] as const)(
  'while the beacon is %s the draw waits, says so, and then takes the very round that was announced',
  async (fault) => {
    await entrant();
    await endMonth();
    const { round } = (await proof()).beacon;
    beacon.setFault(fault);
    clock.set(after(closes, 400 * second));
    await completeDueDraws(context);
    expect(await published()).toMatchObject({ status: 'waiting', winner: null, round: { number: round, secondsLeft: 0, late: true } });
    expect(logged.some((line) => line.includes('the draw waits') && line.includes(String(round)))).toBe(true);
    beacon.setFault(null);
    clock.set(after(closes, day));
    await completeDueDraws(context);
    const { beacon: drawn } = await proof();
    expect([drawn.round, verifyRound(sandboxChain, round, drawn.signature)]).toEqual([round, true]);
  },
);

test('a draw announced for one beacon is not decided by another', async () => {
  await entrant();
  await endMonth();
  clock.set(after(closes, 400 * second));
  const { chain } = context.beacon;
  context.beacon.chain = { ...chain, name: 'quicknet' };
  try {
    await completeDueDraws(context);
  } finally {
    context.beacon.chain = chain;
  }
  expect((await published()).status).toBe('waiting');
  await completeDueDraws(context);
  expect((await published()).status).toBe('completed');
});

test('rolls back and retries a closing that outlasted its announced round', async () => {
  await entrant();
  const admin = await administrator();
  const usual = context.beacon;
  context.beacon = {
    ...usual,
    get chain() {
      // The entries are frozen now, after a long time.
      clock.set(after(clock.now(), 40 * second));
      return usual.chain;
    },
  };
  const { status, body } = await as(admin)
    .post('/admin/run-draw')
    .finally(() => (context.beacon = usual));
  expect([status, body.code]).toEqual([503, 'unavailable']);
  expect((await published()).status).toBe('open');
  expect((await as(admin).post('/admin/run-draw')).status).toBe(202);
});

test('only the winner claims the prize, once, after the draw and with all fields', async () => {
  const winner = await entrant();
  const other = await given.user();
  await confirm(other._id);
  const claim = (user: User, body: object = bank) => as(user).post('/referral/payment-details', body);
  expect((await claim(winner)).body.code).toBe('not_draw_winner');
  await endMonth();
  expect((await claim(await again(winner))).body.code).toBe('not_draw_winner');
  clock.set(after(closes, 310 * second));
  await completeDueDraws(context);

  const [theirs, others] = [await again(winner), await again(other)];
  expect((await as(others).get('/referral/check-winner')).body).toEqual({ isWinner: false, draw: null });
  expect((await claim(others)).body).toMatchObject({ code: 'not_draw_winner', message: 'You are not currently a draw winner' });
  expect((await as(theirs).get('/referral/check-winner')).body).toMatchObject({
    isWinner: true,
    draw: { _id: await drawId(), month: 5, year, prizeAmount: 1000, status: 'completed', paymentStatus: 'pending', currency: 'NZD' },
  });
  const dates = { drawDate: (await published()).closedAt, claimBy: expect.stringContaining(`${year}-07-30T`) };
  expect((await as(theirs).get('/referral/check-winner')).body.draw).toMatchObject(dates);
  for (const field of ['bankName', 'accountHolder', 'accountNumber'] as const) {
    const refused = await claim(theirs, { ...bank, [field]: ' ' });
    expect([refused.status, refused.body.message]).toEqual([400, 'Please fill in all fields']);
  }
  for (const [form, message] of [
    [
      { accountNumber: '38-9000-0765435-00' },
      'A digit of this number is wrong, or two are swapped. Please compare it with what your bank shows',
    ],
    [{ accountNumber: '38-9999-0765434-00', currency: 'NZD' }, 'Bank 38 has no branch 9999. Please check the branch’s number'],
    [{ accountNumber: '062-000 123', currency: 'AUD' }, 'A digit is missing: the account after the BSB has at least four'],
  ] as const) {
    const refused = await claim(theirs, { ...bank, ...form });
    expect([refused.status, refused.body.errors]).toEqual([400, [{ field: 'accountNumber', message }]]);
  }
  const australian = { ...bank, accountNumber: '062000 12345678', currency: 'AUD' };
  const claims = await Promise.all([claim(theirs, australian), claim(theirs, australian)]);
  expect(statusesOf(claims)).toEqual([200, 409]);
  expect((await claim(theirs)).body.code).toBe('already_claimed');
  expect((await as(theirs).get('/referral/check-winner')).body.draw).toMatchObject({ paymentStatus: 'claimed', currency: 'AUD' });
  expect(await published()).toMatchObject({ winner: { prize: 'claimed' }, prize: { currency: 'AUD' } });
  const sent = (await outbox.mails()).filter(({ subject }) => /is waiting to be paid/.test(subject));
  expect(sent.at(-1)).toMatchObject({ to: 'support@handwise.example' });
});

/** All plain text in the database as one string. */
async function everythingStored(): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`.execute(db);
  const texts = await Promise.all(
    rows.map(
      async ({ name }) =>
        (await sql<{ text: string | null }>`select string_agg(one::text, ' ') as text from ${sql.raw(name)} as one`.execute(db)).rows[0]
          ?.text ?? '',
    ),
  );
  return texts.join('\n');
}

test('stores bank details encrypted; administrators see them only before payment, with the reason logged', async () => {
  const winner = await entrant();
  let admin = await administrator();
  await finishMonth();
  admin = await again(admin);
  const id = await drawId();
  const viewDetails = (reason = 'To pay it.') => as(admin).get(`/admin/draws/${id}/payment-details?reason=${encodeURIComponent(reason)}`);
  const pay = () => as(admin).post(`/admin/process-payment/${id}`);
  expect([(await viewDetails()).body.code, (await pay()).body.code]).toEqual(['prize_not_claimed', 'prize_not_claimed']);
  const { body: answer } = await as(await again(winner)).post('/referral/payment-details', bank);
  expect(JSON.stringify(answer)).not.toContain(bank.accountNumber);

  expect((await as(admin).get(`/admin/draws/${id}/payment-details`)).status).toBe(400);
  expect((await viewDetails()).body).toMatchObject({ ...bank, currency: 'NZD', prizeAmount: 1000 });
  const management = JSON.stringify((await as(admin).get('/admin/draw-management')).body);
  const stored = await everythingStored();
  for (const secret of secrets) {
    for (const text of [stored, management, logged.join('\n')]) expect(text).not.toContain(secret);
    expect(stored).not.toContain(Buffer.from(secret).toString('hex'));
    expect(stored).not.toContain(Buffer.from(secret).toString('base64'));
  }

  const paid = await Promise.all([pay(), pay(), pay()]);
  expect(statusesOf(paid)).toEqual([200, 409, 409]);
  expect([(await pay()).body.code, (await viewDetails()).body.code]).toEqual(['prize_paid_already', 'prize_paid_already']);
  expect(await mailsTo(winner, /has been paid/)).toHaveLength(1);
  expect((await as(admin).get('/admin/draw-management')).body.pastDraws[0]).toMatchObject({
    paymentStatus: 'paid',
    waiting: null,
    claimBy: null,
  });

  const entries = await db
    .selectFrom('audit_log')
    .select(['what', 'actor_id', 'after'])
    .where('actor_id', '=', admin._id)
    .orderBy('number')
    .execute();
  expect(entries.filter(({ what }) => what === 'draw_actions.insert').map(({ after: of }) => of)).toMatchObject([
    { draw_id: id, action: 'look', reason: 'To pay it.', administrator_id: admin._id },
    { draw_id: id, action: 'pay' },
  ]);

  const sealed = () =>
    db
      .selectFrom('prize_claims')
      .innerJoin('draw_picks', 'draw_picks.id', 'pick_id')
      .select(['sealed', 'erased_at'])
      .where('draw_id', '=', id)
      .executeTakeFirstOrThrow();
  clock.set(after(clock.now(), 90 * day - 60 * second));
  await erasePaidClaims(context);
  expect((await sealed()).sealed).not.toBeNull();
  clock.set(after(clock.now(), 120 * second));
  await erasePaidClaims(context);
  expect(await sealed()).toEqual({ sealed: null, erased_at: expect.any(Date) });
});

test('re-encrypts details of an older key with the first key', async () => {
  const winner = await entrant();
  await finishMonth();
  await as(await again(winner)).post('/referral/payment-details', bank);
  const [old, renewed] = [context.keyring, new Keyring({ newest: Buffer.alloc(32, 7).toString('base64') })];
  const claim = () =>
    db
      .selectFrom('prize_claims')
      .innerJoin('draw_picks', 'draw_picks.id', 'pick_id')
      .innerJoin('draws', 'draws.id', 'draw_id')
      .select(['prize_claims.id', 'key_id'])
      .where('entry_id', '=', winner.entryId)
      .executeTakeFirstOrThrow();
  const { id, key_id: before } = await claim();
  context.keyring = renewed;
  await reencryptClaims(context);
  // Without the old key nothing is lost and an error is logged.
  expect([(await claim()).key_id, logged.some((line) => line.includes('PRIZE_KEYS'))]).toEqual([before, true]);
  context.keyring = {
    keyId: renewed.keyId,
    seal: (text: string, about: string) => renewed.seal(text, about),
    open: (sealed: Sealed, about: string) => (sealed.keyId === before ? old : renewed).open(sealed, about),
  } as Keyring;
  await reencryptClaims(context);
  expect((await claim()).key_id).toBe('newest');
  expect(await decryptClaim(db, { keyring: renewed }, id)).toEqual(bank);
  context.keyring = old;
});

test('passes the prize through all reserves in order as winners are struck, and publishes each reason', async () => {
  const entrants = [await entrant(), await entrant(), await entrant()];
  let admin = await administrator();
  await finishMonth();
  admin = await again(admin);
  const id = await drawId();
  const first = await proof();
  const order = [first.winner, ...first.reserves].map(({ entryId }) => entrants.find((one) => one.entryId === entryId));
  const strike = (reason?: string) => as(admin).post(`/admin/draws/${id}/strike`, reason === undefined ? {} : { reason });
  expect((await strike()).status).toBe(400);

  const [one, two, three] = order;
  if (!one || !two || !three) throw new Error('three were drawn');
  await as(await again(one)).post('/referral/payment-details', bank);
  const struck = await strike('The ticket was bought.');
  expect(struck.body.draw).toMatchObject({
    paymentStatus: 'pending',
    winner: { userId: { _id: two._id } },
    reservesLeft: 1,
    claimedAt: null,
  });
  expect(await published()).toMatchObject({
    winner: { entryId: two.entryId, place: 1, prize: 'pending' },
    struck: [{ entryId: one.entryId, reason: 'The ticket was bought.' }],
  });
  const erased = await db
    .selectFrom('prize_claims')
    .innerJoin('draw_picks', 'draw_picks.id', 'pick_id')
    .select('sealed')
    .where('draw_id', '=', id)
    .execute();
  expect(erased).toEqual([{ sealed: null }]);
  expect([
    (await mailsTo(one, /^Your prize in the .* draw/)).length,
    (await mailsTo(two, won)).length,
    (await mailsTo(three, won)).length,
  ]).toEqual([1, 1, 0]);
  const lost = as(await again(one));
  expect((await lost.post('/referral/payment-details', bank)).body.code).toBe('not_draw_winner');
  expect((await lost.get('/referral/check-winner')).body).toEqual({ isWinner: false, draw: null });

  expect(await verified()).toEqual({ fails: [], isValid: true, isDrawn: true, winner: two.entryId });
  await strike('Second.');
  await strike('Third.');
  expect((await strike('Fourth.')).body.code).toBe('nobody_to_strike');
  expect(await published()).toMatchObject({ outcome: 'not_awarded', winner: null });
  const last = await proof();
  expect(await verified()).toEqual({ fails: [], isValid: true, isDrawn: true, winner: null });
  expect([last.winner, last.reserves, last.struck.map(({ entryId }: { entryId: string }) => entryId)]).toEqual([
    null,
    [],
    order.map((each) => each?.entryId),
  ]);
  expect(last.struck.map(({ ticketIndex }: { ticketIndex: number }) => ticketIndex)).toEqual(
    [first.winner, ...first.reserves].map((pick) => pick.ticketIndex),
  );
  const { body } = await as(admin).get('/admin/draw-management');
  expect(body.pastDraws[0]).toMatchObject({ paymentStatus: 'not_awarded', outcome: 'not_awarded', winner: null });
  const actions = await db.selectFrom('draw_actions').select(['action', 'reason']).where('draw_id', '=', id).orderBy('id').execute();
  expect(actions.map(({ action, reason }) => `${action}: ${reason}`)).toEqual([
    'strike: The ticket was bought.',
    'strike: Second.',
    'strike: Third.',
  ]);
});

test('pays the winner who holds the prize, not one who was struck after claiming it', async () => {
  const entrants = [await entrant(), await entrant()];
  let admin = await administrator();
  await finishMonth();
  admin = await again(admin);
  const id = await drawId();
  const { winner } = await proof();
  const [struck, holder] = entrants.toSorted((one) => (one.entryId === winner.entryId ? -1 : 1));
  if (!struck || !holder) throw new Error('two were drawn');
  const claim = async (user: User, form: object) => as(await again(user)).post('/referral/payment-details', form);
  expect((await claim(struck, bank)).status).toBe(200);
  expect((await as(admin).post(`/admin/draws/${id}/strike`, { reason: 'The ticket was bought.' })).status).toBe(200);
  const theirs = { ...bank, accountHolder: 'Tama Rua' };
  expect((await claim(holder, theirs)).status).toBe(200);
  expect((await as(admin).get(`/admin/draws/${id}/payment-details?reason=${encodeURIComponent('To pay it.')}`)).body).toMatchObject(theirs);
  expect((await as(admin).post(`/admin/process-payment/${id}`)).status).toBe(200);
  expect([await mailsTo(struck, /has been paid/), await mailsTo(holder, /has been paid/)]).toMatchObject([[], [{}]]);
});

test('reminds winners after 7 and 25 days, once each, and passes the prize on after 30', async () => {
  const entrants = [await entrant(), await entrant()];
  await finishMonth();
  const { winner, reserves } = await proof();
  const [first, second_] = [winner, ...reserves].map(({ entryId }) => entrants.find((one) => one.entryId === entryId));
  if (!first || !second_) throw new Error('two were drawn');
  const startedAt = clock.now();
  const at = async (days: number, ms: number) => {
    clock.set(after(startedAt, days * day + ms));
    await followUpWinners(context);
    await followUpWinners(context);
    return (await mailsTo(first, /is waiting until/)).length;
  };
  expect([
    await at(7, -60 * second),
    await at(7, second),
    await at(25, -60 * second),
    await at(25, second),
    await at(30, -60 * second),
  ]).toEqual([0, 1, 1, 2, 2]);
  expect((await published()).winner.entryId).toBe(first.entryId);
  clock.set(after(startedAt, 30 * day + second));
  expect((await as(await again(first)).post('/referral/payment-details', bank)).body.code).toBe('claim_too_late');
  await followUpWinners(context);
  expect(await published()).toMatchObject({
    winner: { entryId: second_.entryId, place: 1 },
    struck: [{ entryId: first.entryId, reason: 'Nobody claimed the prize within 30 days.' }],
  });
  expect([(await mailsTo(first, /^Your prize in the .* draw/)).length, (await mailsTo(second_, won)).length]).toEqual([1, 1]);
  // No server ran for a month: only one reminder is sent, not two, however often the server looks again.
  clock.set(after(startedAt, 56 * day));
  await followUpWinners(context);
  await followUpWinners(context);
  expect((await mailsTo(second_, /is waiting until/)).length).toBe(1);
  const { body } = await as(await again(second_)).post('/referral/payment-details', bank);
  expect(body.draw.paymentStatus).toBe('claimed');
  clock.set(after(startedAt, 90 * day));
  await followUpWinners(context);
  expect((await published()).winner.prize).toBe('claimed');
});

test('passes over picks who have become ineligible, and passes on an unclaimed prize on account deletion', async () => {
  const entrants = [await entrant(), await entrant(), await entrant(), await entrant(), await entrant()];
  await endMonth();
  const { round } = (await proof()).beacon;
  const full = pickEntries(
    sortEntries(entrants.map(({ entryId: id, tickets }) => ({ id, tickets }))),
    deriveRandomness(signSandboxRound(round)) ?? '',
    (await proof()).root,
  );
  const [suspended, admin, left, deleted, last] = full.map(({ entryId }) => entrants.find((one) => one.entryId === entryId));
  if (!suspended || !admin || !left || !deleted || !last) throw new Error('five were drawn');
  await db.updateTable('users').set({ suspended_at: clock.now() }).where('id', '=', suspended._id).execute();
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', admin._id).execute();
  expect((await as(await again(left)).delete('/auth/account', { currentPassword: 'correct-horse' })).status).toBe(200);
  clock.set(after(closes, 310 * second));
  await completeDueDraws(context);
  expect(await published()).toMatchObject({
    winner: { entryId: deleted.entryId, place: 3 },
    struck: [
      { entryId: suspended.entryId, reason: 'The account is suspended.' },
      { entryId: admin.entryId, reason: 'Administrators cannot win.' },
      { entryId: left.entryId, reason: 'The account has been deleted.' },
    ],
  });
  expect(await verified()).toEqual({ fails: [], isValid: true, isDrawn: true, winner: deleted.entryId });
  expect((await as(await again(deleted)).delete('/auth/account', { currentPassword: 'correct-horse' })).status).toBe(200);
  expect(await published()).toMatchObject({ winner: { entryId: last.entryId, place: 4 } });
  expect((await published()).struck.at(-1)).toMatchObject({ entryId: deleted.entryId, reason: 'The account has been deleted.' });
  expect(await mailsTo(deleted, /^Your prize in the .* draw/)).toEqual([]);
  const stays = await again(last);
  await as(stays).post('/referral/payment-details', bank);
  expect((await as(stays).delete('/auth/account', { currentPassword: 'correct-horse' })).status).toBe(200);
  expect(await published()).toMatchObject({ winner: { name: '', prize: 'claimed' } });
});

test('offers the oldest unclaimed prize, else the newest, in the currency of the winner’s last listing', async () => {
  const winner = await entrant();
  await given.listing({ sellerId: winner._id, district: 306 });
  await finishMonth();
  clock.set(after(closes, day));
  const id = await drawId();
  await grantTickets(winner._id, 1);
  const { body: running } = await as(await administrator()).post('/admin/run-draw');
  clock.set(new Date(running.expectedAt));
  await completeDueDraws(context);
  const signedIn = await again(winner);
  const checkWinner = async () => (await as(signedIn).get('/referral/check-winner')).body.draw;
  expect(await checkWinner()).toMatchObject({ _id: id, month: 5, currency: 'NZD' });
  await as(signedIn).post('/referral/payment-details', bank);
  expect(await checkWinner()).toMatchObject({ month: 6, paymentStatus: 'pending' });
  await given.listing({ sellerId: winner._id, district: 1801 });
  await db
    .updateTable('listings')
    .set({ created_at: clock.now() })
    .where('seller_id', '=', winner._id)
    .where('country', '=', 'AU')
    .execute();
  expect((await checkWinner()).currency).toBe('AUD');
  const australian = { ...bank, accountNumber: '062000 12345678' };
  expect((await as(signedIn).post('/referral/payment-details', australian)).body.draw).toMatchObject({
    month: 6,
    paymentStatus: 'claimed',
    currency: 'AUD',
  });
  expect(await checkWinner()).toMatchObject({ month: 6, paymentStatus: 'claimed' });
  const archive = await app.inject({
    url: '/api/auth/export',
    headers: { authorization: `Bearer ${signedIn.token}` },
    remoteAddress: '127.0.0.1',
  });
  const prizes = unzipped(archive.rawPayload).get('prizes.json')?.toString() ?? '';
  expect(JSON.parse(prizes)).toMatchObject([
    { prize: 'claimed', currency: 'NZD' },
    { prize: 'claimed', currency: 'AUD' },
  ]);
  expect(prizes).not.toContain(bank.accountNumber);
});

test('lists the user’s own entries with paths to the published root once the draw has closed', async () => {
  const entrants = [await entrant(4), await entrant(1), await entrant(2), await entrant(1), await entrant(3)];
  const mine = entrants[2];
  if (!mine) throw new Error('there are five');
  const swapped = await grantTickets(mine._id, 1);
  await db.transaction().execute((tx) => voidTickets(tx, context, [swapped.entryId], 'swapped'));
  expect((await as(mine).get(`/draws/mine?period=${period}`)).body.entries.map((entry: { proof: unknown }) => entry.proof)).toEqual([
    null,
    null,
  ]);
  await endMonth();
  const { entries, root } = await proof();
  const { body } = await as(await again(mine)).get('/draws/mine');
  const [own, voided] = body.entries.toSorted((a: { status: string }, b: { status: string }) => (a.status < b.status ? -1 : 1));
  expect([body.entries.length, voided]).toEqual([
    2,
    expect.objectContaining({ id: swapped.entryId, status: 'void', voidReason: 'swapped', proof: null }),
  ]);
  const index = entries.findIndex(({ id }: { id: string }) => id === mine.entryId);
  const firstTicket = entries.slice(0, index).reduce((sum: number, { tickets }: { tickets: number }) => sum + tickets, 0);
  expect(own).toMatchObject({ id: mine.entryId, tickets: 2, status: 'drawn', proof: { index, size: 5, firstTicket, root } });
  const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
  const inclusion = {
    leaf: hashEntry({ id: mine.entryId, tickets: 2 }),
    index,
    size: 5,
    path: own.proof.path.map(bytes),
    root: bytes(root),
  };
  expect(verifyInclusion(inclusion)).toBe(true);
  expect((await asVisitor.get('/draws/mine')).status).toBe(401);
});

test('the pack of a closed draw contains no name, address or bank details', async () => {
  const winner = await entrant();
  let admin = await administrator();
  expect((await asVisitor.get(`/draws/${period}/pack`)).body.code).toBe('draw_still_open');
  await finishMonth();
  admin = await again(admin);
  await as(await again(winner)).post('/referral/payment-details', bank);
  await as(admin).post(`/admin/process-payment/${await drawId()}`, { reason: 'Paid to Mere Kingi.' });
  const answer = await app.inject({ url: `/api/draws/${period}/pack`, remoteAddress: '127.0.0.1' });
  expect([answer.statusCode, answer.headers['content-disposition']]).toEqual([200, `attachment; filename="draw-${period}.zip"`]);
  const files = new Map([...unzipped(answer.rawPayload)].map(([name, bytes]) => [name, bytes.toString()]));
  expect([...files.keys()].toSorted()).toEqual([
    'README.txt',
    'audit.json',
    'checkpoint.txt',
    'dates.json',
    'entries.csv',
    'log.txt',
    'proof.json',
    'terms.json',
  ]);
  expect(JSON.parse(files.get('proof.json') ?? '')).toEqual(await proof());
  expect(files.get('entries.csv')).toBe(`id,tickets\n${winner.entryId},1\n`);
  expect(files.get('log.txt')).toContain(`+ ${winner.entryId} 1 `);
  const audit = JSON.parse(files.get('audit.json') ?? '');
  expect(audit.map(({ what }: { what: string }) => what)).toEqual(
    expect.arrayContaining(['draws.insert', 'draws.update', 'draw_picks.update', 'prize_claims.insert', 'draw_actions.insert']),
  );
  expect(JSON.parse(files.get('dates.json') ?? '')).toMatchObject({ prize: 'paid', picks: [{ place: 0, entryId: winner.entryId }] });
  const all = [...files.values()].join('\n');
  for (const personal of ['Mere', winner.email, winner.username, winner._id, admin._id, ...secrets]) expect(all).not.toContain(personal);
});
