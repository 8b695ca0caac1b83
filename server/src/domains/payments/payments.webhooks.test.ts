import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { times } from '@handwise/sandbox/testing/times';
import { eventHandlers, deleteOldEvents, processEvent } from './payments.webhooks.ts';

const { app, db, given, callers, sandbox, outbox, parts } = await testApp();
const { provider, stripe, aroundProvider } = sandbox;
const { queued, runJobs } = outbox;
const { payments, clock, logged } = parts;

const jobName = 'payments.process-event';

const eventOf = (type: string, object: object, more: object = {}) => {
  const id = `evt_${randomUUID()}`;
  return { id, payload: JSON.stringify({ id, object: 'event', type, created: 1_793_000_000, livemode: false, data: { object }, ...more }) };
};

const deliver = async (payload: string, secret = 'whsec_sandbox') => {
  const signature = provider.webhooks.generateTestHeaderString({
    payload,
    secret,
    timestamp: Math.floor(parts.clock.now().getTime() / 1000),
  });
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  return (await app.inject({ method: 'POST', url: '/api/stripe/webhook', headers, payload })).statusCode;
};

const storedEvent = (id: string) => db.selectFrom('provider_events').selectAll().where('id', '=', id).execute();
const waiting = async (id: string) => (await queued(jobName)).filter((job) => job.eventId === id).length;
const toRefundStatus = async (intentId: string) =>
  (await db.selectFrom('payments').select('status').where('intent_id', '=', intentId).executeTakeFirst())?.status;

/** Lets jobs that wait for their next try be tried now. */
const untilRetried = async () => {
  await sql`update pgboss.job set start_after = now() where name = ${jobName} and state = 'retry'`.execute(db);
  await runJobs();
};

test('stores one row and one job per event, however often it arrives', async () => {
  const id = await given.payment(await given.user());
  const event = eventOf('payment_intent.succeeded', { id, object: 'payment_intent' });
  expect(await times(20, () => deliver(event.payload))).toEqual(Array.from({ length: 20 }, () => 200));
  expect(await storedEvent(event.id)).toEqual([
    {
      id: event.id,
      type: 'payment_intent.succeeded',
      object_id: id,
      intent_id: id,
      account: null,
      livemode: false,
      created_at: new Date(1_793_000_000_000),
      received_at: expect.any(Date),
    },
  ]);
  expect(await waiting(event.id)).toBe(1);
  expect(await toRefundStatus(id)).toBe('open');
  await runJobs();
  expect(await toRefundStatus(id)).toBe('succeeded');
});

test('answers a webhook at once while the provider is slow', async () => {
  const id = await given.payment(await given.user());
  const requests: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  aroundProvider(async ({ path }, phase) => {
    if (phase === 'before') requests.push(path);
    await promise;
  });
  const event = eventOf('payment_intent.succeeded', { id });
  expect(await deliver(event.payload)).toBe(200);
  expect(requests).toEqual([]);
  const working = runJobs();
  await expect.poll(() => requests).toEqual([`/v1/payment_intents/${id}`]);
  // Answered although the provider still lets the job wait.
  expect(await deliver(eventOf('payment_intent.processing', { id }).payload)).toBe(200);
  resolve();
  await working;
  aroundProvider();
  expect(await toRefundStatus(id)).toBe('succeeded');
});

test('retries an event while the provider is down', async () => {
  const id = await given.payment(await given.user());
  stripe.setFault('down');
  const event = eventOf('payment_intent.succeeded', { id });
  expect(await deliver(event.payload)).toBe(200);
  await runJobs();
  expect([await toRefundStatus(id), await waiting(event.id)]).toEqual(['open', 1]);
  stripe.setFault(null);
  await untilRetried();
  expect([await toRefundStatus(id), await waiting(event.id)]).toEqual(['succeeded', 0]);
});

test('stores an unhandled event with its payment and does nothing', async () => {
  const charge = eventOf(
    'charge.succeeded',
    { id: 'ch_1', payment_intent: 'pi_1' },
    { account: 'acct_1', livemode: true, created: undefined },
  );
  const nameless = eventOf('payment_intent.succeeded', {});
  const inherited = eventOf('toString', { id: 'pi_1' });
  for (const { payload } of [charge, nameless, inherited]) expect(await deliver(payload)).toBe(200);
  expect(await storedEvent(charge.id)).toMatchObject([{ object_id: 'ch_1', intent_id: 'pi_1', account: 'acct_1', livemode: true }]);
  const [row] = await storedEvent(charge.id);
  expect(row?.created_at).toEqual(row?.received_at);
  expect(await storedEvent(nameless.id)).toMatchObject([{ object_id: null, intent_id: null }]);
  for (const { id } of [charge, nameless, inherited]) {
    expect(await waiting(id)).toBe(0);
    await expect(processEvent(payments, id)).resolves.toBeUndefined();
  }
  await expect(processEvent(payments, 'evt_nobodys')).resolves.toBeUndefined();
});

test('rejects an event that cannot be stored, so that it is sent again', async () => {
  const event = eventOf('payment_intent.succeeded', { id: 'pi_1' });
  await sql`create function refuse_event() returns trigger language plpgsql as 'begin raise exception ''full''; end'`.execute(db);
  await sql`create constraint trigger refuse_event after insert on provider_events deferrable initially deferred
    for each row execute function refuse_event()`.execute(db);
  expect(await deliver(event.payload)).toBe(500);
  await sql`drop trigger refuse_event on provider_events`.execute(db);
  expect([await storedEvent(event.id), await waiting(event.id)]).toEqual([[], 0]);
  expect(await deliver(event.payload)).toBe(200);
});

// After the events of the tests above, which came at the real time.
const tomorrow = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 86_400_000 + 10_000;
const minutesIn = (minutes: number) => new Date(tomorrow + minutes * 60_000);
const daysIn = (days: number) => minutesIn(days * 24 * 60);

test('logs a wrong secret at once, and shows it to administrators for an hour', async () => {
  const admin = await given.administrator();
  const overview = async () => {
    const { refusedEvents, lastEventAt } = (await callers.as(admin).get('/admin/overview')).body;
    return { refusedEvents, lastEventAt };
  };
  const secretWarnings = () => logged.flatMap((line) => (line.includes('STRIPE_WEBHOOK_SECRET is wrong') ? [JSON.parse(line)] : []));
  clock.set(minutesIn(0));
  const right = eventOf('charge.succeeded', { id: 'ch_1' });
  expect(await deliver(right.payload)).toBe(200);
  const lastEventAt = (await storedEvent(right.id))[0]?.received_at.toISOString();
  const wrong = () => deliver(eventOf('charge.succeeded', { id: 'ch_1' }).payload, 'whsec_of_another');
  clock.set(minutesIn(10));
  for (let time = 0; time < 3; time += 1) expect(await wrong()).toBe(400);
  expect(secretWarnings()).toMatchObject([{ level: 40, refused: 1, lastTaken: lastEventAt }]);
  clock.set(minutesIn(11));
  await wrong();
  expect(secretWarnings().map(({ refused }) => refused)).toEqual([1, 4]);
  // What is no message and is signed all the same says nothing against the secret.
  expect(await deliver('{"id":1}')).toBe(400);
  expect(await overview()).toEqual({ refusedEvents: 4, lastEventAt });
  clock.set(minutesIn(70));
  expect(await overview()).toEqual({ refusedEvents: 1, lastEventAt });
  clock.set(minutesIn(71));
  expect(await overview()).toMatchObject({ refusedEvents: 0 });
});

test('deletes events and rejection counts after 90 days', async () => {
  clock.set(daysIn(200));
  const event = eventOf('charge.succeeded', { id: 'ch_1' });
  await deliver(event.payload);
  await deliver(event.payload, 'whsec_of_another');
  const left = async () => [(await storedEvent(event.id)).length, (await db.selectFrom('provider_refusals').selectAll().execute()).length];
  clock.set(daysIn(289.9));
  await deleteOldEvents(payments);
  expect(await left()).toEqual([1, 1]);
  clock.set(daysIn(290.1));
  await deleteOldEvents(payments);
  expect(await left()).toEqual([0, 0]);
});

test('the guide names the event types that have handlers', () => {
  const guide = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
  const [, step = ''] = /send it these events([^]*?)\n3\. /.exec(guide) ?? [];
  const named = Array.from(step.matchAll(/`([a-z_]+\.[a-z_.]+)`/g), ([, type = '']) => type);
  expect(new Set(named)).toEqual(new Set(Object.keys(eventHandlers)));
});
