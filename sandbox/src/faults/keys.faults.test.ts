import { afterEach, expect, test } from 'vitest';
import { openStripe } from '@handwise/server/kit/stripe';
import { testDatabase } from '../testing/database.ts';
import { type ApiResponse, LostAnswer, encodeForm, patientClient } from './fault-client.ts';
import { kill, patience } from './fault-servers.ts';
import { type Seller, faultWorld } from './fault-world.ts';

// The provider keys switch to another account and back while users pay; the server is killed at each switch.
const { url } = await testDatabase();
const world = await faultWorld({ databaseUrl: url });
const first = { secretKey: 'sk_test_sandbox', publishableKey: 'pk_test_sandbox' };
const other = { secretKey: 'sk_test_other', publishableKey: 'pk_test_other' };
world.stripe.keys.add([other.secretKey, other.publishableKey], 'acct_other');
let keys = first;
const client = patientClient({ startServer: () => world.startServer({ keys }) }, await world.startServer({ keys }));
const long = 5 * patience;

afterEach(() => {
  world.aroundProviderCalls(null);
  world.stripe.setFault(null);
});

/** The keys of the next server. */
async function changeKeys(to: typeof first) {
  const server = await client.alive();
  keys = to;
  await kill(server);
  await client.alive();
}

const newSeller = async () => world.newSeller(await client.alive());
const begin = (seller: Seller) => client.call(seller, 'POST', '/plan-user/create-intent', { planId: world.planId('basic'), country: 'NZ' });

async function pay(seller: Seller): Promise<string> {
  const { status, body } = await begin(seller);
  expect(status).toBe(201);
  expect(await world.submitCard(body.clientSecret, undefined, keys.publishableKey)).toBe('succeeded');
  return body.paymentIntentId;
}

async function publish(seller: Seller): Promise<string> {
  const paymentId = await pay(seller);
  expect(await client.call(seller, 'POST', '/plan-user/confirm-payment', { paymentIntentId: paymentId })).toMatchObject({ status: 200 });
  const answer = await client.call(seller, 'POST', '/listing/create', await encodeForm({ ...seller.form, paymentId }, []));
  expect([answer.status, answer.body.code]).toEqual([201, undefined]);
  return answer.body._id;
}

async function saveCard(seller: Seller): Promise<string> {
  const { body } = await client.call(seller, 'POST', '/credit/setup-intent', {});
  await world.submitCard(body.clientSecret, undefined, keys.publishableKey);
  const card = await client.call(seller, 'POST', '/credit', { setupIntentId: body.setupIntentId });
  expect(card.status).toBe(201);
  return card.body._id;
}

/** A seller's charges in an account, in cents. */
async function charged(seller: Seller, { secretKey }: typeof first) {
  const provider = openStripe({ ...first, secretKey, webhookSecret: '', apiBase: world.stripe.url });
  const paid = [];
  for await (const intent of provider.paymentIntents.list({ limit: 100 })) {
    if (intent.metadata['userId'] === seller.id && intent.status === 'succeeded') paid.push(intent);
  }
  return paid.toReversed();
}

const statusesOf = async (seller: Seller) =>
  (await world.pool.query('select status from payments where user_id = $1 order by created_at, id', [seller.id])).rows.map(
    (row) => row.status,
  );

/** Expects that every charge in either account bought one subscription or is refunded. */
async function expectAllBooked(sellers: readonly Seller[]) {
  const taken = await Promise.all(sellers.flatMap((seller) => [charged(seller, first), charged(seller, other)]));
  const { rows } = await world.pool.query<{ intent_id: string; bought: number }>(`
    select intent_id, (select count(*)::int from subscriptions where payment_id = payments.id) + (select count(*)::int from refunds where payment_id = payments.id) as bought
    from payments where status = 'succeeded'`);
  expect(rows.map((row) => row.intent_id).toSorted()).toEqual(
    taken
      .flat()
      .map(({ id }) => id)
      .toSorted(),
  );
  expect(rows.filter(({ bought }) => bought !== 1)).toEqual([]);
}

test(
  'switching to keys of another account and back, with killed servers, charges once and books old payments later',
  async () => {
    const [saver, payer, beginner, cut] = [await newSeller(), await newSeller(), await newSeller(), await newSeller()];
    const both = await newSeller();
    const listingId = await publish(saver);
    const oldCard = await saveCard(saver);
    world.stripe.setFault('drop-webhooks');
    const lateIntent = await pay(payer);
    expect((await begin(beginner)).status).toBe(201);
    const oldTab = (await begin(both)).body;
    // The fourth intent is created, but its server never gets the response.
    world.aroundProviderCalls(async ({ method, path }, phase) => {
      if (method !== 'POST' || path !== '/v1/payment_intents' || phase !== 'after') return;
      world.aroundProviderCalls(null);
      keys = other;
      await kill(await client.alive());
      await new Promise(() => {});
    });
    const ending: ApiResponse | LostAnswer = await client
      .callOnce(cut, 'POST', '/plan-user/create-intent', { planId: world.planId('basic'), country: 'NZ' })
      .catch((error: unknown) => {
        if (error instanceof LostAnswer) return error;
        throw error;
      });
    expect(ending).toBeInstanceOf(LostAnswer);

    // The server now has the keys of the other account.
    await world.pool.query('update payments set check_at = created_at where user_id = $1', [payer.id]);
    await changeKeys(other);
    await expect.poll(() => statusesOf(payer), { timeout: patience }).toEqual(['canceled']);
    await publish(beginner);
    await publish(cut);
    // A page loaded before the switch still pays to the old account, which the new keys cannot see.
    await publish(both);
    expect(await world.submitCard(oldTab.clientSecret, undefined, first.publishableKey)).toBe('succeeded');
    expect(await statusesOf(both)).toEqual(['canceled', 'succeeded']);
    expect((await client.call(saver, 'GET', '/credit/all')).body.data.map((card: { _id: string }) => card._id)).not.toContain(oldCard);
    const change = (cardId: string) =>
      client.call(saver, 'PUT', `/listing/${listingId}/plan`, { planId: world.planId('premium'), paymentId: cardId });
    expect(await change(oldCard)).toMatchObject({ status: 404, body: { code: 'card_not_found' } });
    expect(await change(await saveCard(saver))).toMatchObject({ status: 200, body: { status: 'done' } });

    // The server has the first keys again.
    await changeKeys(first);
    const late = await world.provider.events.list({ type: 'payment_intent.succeeded', limit: 100 });
    for (const intentId of [lateIntent, oldTab.paymentIntentId]) {
      const event = late.data.find(({ data }) => 'id' in data.object && data.object.id === intentId);
      expect(await world.stripe.deliver(event?.id ?? '')).toBe(200);
    }
    await expect.poll(() => statusesOf(payer), { timeout: patience }).toEqual(['succeeded']);
    await expect.poll(() => statusesOf(both), { timeout: patience }).toEqual(['succeeded', 'succeeded']);

    const amounts = async (seller: Seller) => ({
      first: (await charged(seller, first)).map(({ amount }) => amount),
      other: (await charged(seller, other)).map(({ amount }) => amount),
    });
    expect(await Promise.all([saver, payer, beginner, cut, both].map(amounts))).toEqual([
      { first: [1500], other: [1050] },
      { first: [1500], other: [] },
      { first: [], other: [1500] },
      { first: [], other: [1500] },
      // Two payments bought two plans, of which one can be refunded by hand.
      { first: [1500], other: [1500] },
    ]);
    await expectAllBooked([saver, payer, beginner, cut, both]);
    const emailsSql = `select from pgboss.job where name = 'mail.send-email' and data->>'to' = $1 and data->>'subject' = 'Please save your card again'`;
    expect((await world.pool.query(emailsSql, [saver.email])).rowCount).toBe(1);
  },
  long,
);
