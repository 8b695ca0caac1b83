import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import type { PlanType } from '@handwise/contract/plans/calls';
import { testDatabase } from '../testing/database.ts';
import { type ApiResponse, LostAnswer, callOnce, encodeForm, patientClient, photo } from './fault-client.ts';
import { type Server, kill, patience } from './fault-servers.ts';
import { type Seller, faultWorld } from './fault-world.ts';

// Servers are killed at every step from payment to listing. Clients repeat their call, choose another plan or do not return.
const { url } = await testDatabase();
const world = await faultWorld({ databaseUrl: url });
const client = patientClient(world, await world.startServer());
const long = 3 * patience;

type Behaviour = 'repeats' | 'changes the plan' | 'leaves';
type Caller = (seller: Seller, method: string, path: string, body?: object) => Promise<ApiResponse>;

const once: Caller = client.callOnce;
const again: Caller = client.call;

afterEach(() => {
  world.aroundProviderCalls(null);
  world.stripe.setFault(null);
});

/** Pays for a plan unless a slot is free, up to the form that publishes the listing under it. */
async function pay(call: Caller, seller: Seller, plan: PlanType, isSecondTry = false): Promise<Seller['form']> {
  const intent = await call(seller, 'POST', '/plan-user/create-intent', { planId: world.planId(plan), country: 'NZ' });
  if (intent.body.code === 'already_covered') {
    const { body } = await again(seller, 'GET', '/plan-user/my-subscriptions');
    return { ...seller.form, servicePlan: body.data.subscriptions[0].plan._id };
  }
  expect([intent.status, intent.body.code]).toEqual([201, undefined]);
  const { clientSecret, paymentIntentId } = intent.body;
  const status = await world.submitCard(clientSecret);
  // On a slow machine the reconciler may cancel the killed server's intent just when its payer returns.
  if (status.includes('status of canceled') && !isSecondTry) return pay(call, seller, plan, true);
  expect(status).toBe('succeeded');
  const confirmed = await call(seller, 'POST', '/plan-user/confirm-payment', { paymentIntentId });
  expect([confirmed.status, confirmed.body.refunded]).toEqual([200, false]);
  return { ...seller.form, servicePlan: world.planId(plan), paymentId: paymentIntentId };
}

async function publish(call: Caller, seller: Seller, plan: PlanType, photos: Uint8Array[] = []): Promise<string> {
  const answer = await call(seller, 'POST', '/listing/create', await encodeForm(await pay(call, seller, plan), photos));
  expect([answer.status, answer.body.code]).toEqual([201, undefined]);
  return answer.body._id;
}

/** Publishes while the server is killed, with this behaviour after the lost response. */
async function publishThroughDeath(behaviour: Behaviour, seller: Seller, photos: Uint8Array[] = []) {
  if (behaviour === 'repeats') return publish(again, seller, 'basic', photos);
  return publish(once, seller, 'basic', photos).catch((error: unknown) => {
    if (!(error instanceof LostAnswer)) throw error;
  });
}

/**
 * The result once all sellers, including those who left or changed the plan, have continued until they have a listing: each one's listings
 * and charges, such as "active basic, 1500". Each charge has one subscription at any time.
 */
async function endings(sellers: readonly (readonly [Behaviour, Seller])[]): Promise<string[]> {
  await client.alive();
  await world.reconcile();
  await world.expectBalancedBooks();
  const all: string[] = [];
  for (const [behaviour, seller] of sellers) {
    const isPublished = (await world.listings(seller)).length > 0;
    expect(isPublished || behaviour !== 'repeats').toBe(true);
    if (!isPublished) await publish(again, seller, behaviour === 'changes the plan' ? 'premium' : 'basic');
    all.push([...(await world.listings(seller)), ...(await world.charges(seller))].join(', '));
  }
  await world.expectBalancedBooks();
  return all;
}

// A paid basic plan covers no premium listing, so choosing premium buys a second subscription, and the basic slot stays free.
const oneEach = (sellers: readonly unknown[]) =>
  sellers.map(() => expect.stringMatching(/^(active basic, 1500|active premium, 2500|active premium, 1500, 2500)$/));

/**
 * Kills the server when a number of these calls are at the provider: before it executes them, which it then never does, or after that but
 * before it responds.
 */
function killAt(matches: (call: string) => boolean, phase: 'before' | 'after', count: number) {
  let waiting = 0;
  let release = () => {};
  const dead = new Promise<void>((resolve) => (release = resolve));
  world.aroundProviderCalls(async ({ method, path }, now) => {
    if (now !== phase || !matches(`${method} ${path}`)) return;
    waiting += 1;
    if (waiting === count) {
      await kill(await client.alive());
      world.aroundProviderCalls(null);
      release();
    }
    await dead;
    // The browser's calls continue, the server's end with it.
    if (phase === 'before' && !path.endsWith('/confirm')) await new Promise(() => {});
  });
}

const behaviours = ['repeats', 'changes the plan', 'leaves', 'repeats'] as const;

async function newSellers<const B extends Behaviour>(all: readonly B[]) {
  const server = await client.alive();
  return Promise.all(all.map(async (behaviour) => [behaviour, await world.newSeller(server)] as const));
}

const steps: [string, (call: string) => boolean][] = [
  ['the customer is made', (call) => call === 'POST /v1/customers'],
  ['the intent is made', (call) => call === 'POST /v1/payment_intents'],
  ['the card is charged', (call) => call.startsWith('POST /v1/payment_intents/') && call.endsWith('/confirm')],
  ['the payment is looked at', (call) => call.startsWith('GET /v1/payment_intents/')],
];
const points = steps.flatMap(([step, matches], index) =>
  (['before', 'after'] as const).map((phase, second) => ({ step, matches, phase, webhooks: (index + second) % 2 === 0 })),
);

test.each(points)(
  'killed $phase $step, webhooks $webhooks: each seller is charged once for one subscription',
  async ({ matches, phase, webhooks }) => {
    const sellers = await newSellers(behaviours);
    if (!webhooks) world.stripe.setFault('drop-webhooks');
    killAt(matches, phase, sellers.length);
    await Promise.all(sellers.map(([behaviour, seller]) => publishThroughDeath(behaviour, seller)));
    expect(await endings(sellers)).toEqual(oneEach(sellers));
  },
  long,
);

// The delays are the same in every run, although the server's state at each varies.
const seed = 20_261_121;
function seededRandom() {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
const random = seededRandom();

/** Awaited in its own round, so that it does not affect the calls of the next. */
async function killAfter(ms: number, server: Server) {
  await pause(ms);
  await kill(server);
}

/** Kills the server some milliseconds after one seller's first call of this path was sent. */
function killAfterSending(path: string, ms: number) {
  let killed: Promise<void> | undefined;
  const call: Caller = async (seller, method, called, body) => {
    const server = await client.alive();
    if (called === path) killed ??= killAfter(ms, server);
    return client.call(seller, method, called, body);
  };
  return {
    call,
    async killed() {
      expect(killed).toBeDefined();
      await killed;
    },
  };
}

test(
  'killed at random moments of paying and publishing: charges once and leaves no orphaned file',
  async () => {
    const paths = ['/plan-user/create-intent', '/plan-user/confirm-payment', '/listing/create', '/listing/create'];
    for (const [index, path] of paths.entries()) {
      const sellers = await newSellers(behaviours);
      world.stripe.setFault(index % 2 === 0 ? 'drop-webhooks' : null);
      const killer = killAfterSending(path, random() * 80);
      await Promise.all(
        sellers.map(([behaviour, seller], index) =>
          index === 0 ? publish(killer.call, seller, 'basic', [photo]) : publishThroughDeath(behaviour, seller, index === 1 ? [photo] : []),
        ),
      );
      await killer.killed();
      expect(await endings(sellers)).toEqual(oneEach(sellers));
    }
    await world.expectNoOrphanFiles();
  },
  long,
);

test(
  'killed during uploads: repeated forms publish, and partial uploads are deleted',
  async () => {
    const sellers = await newSellers(['repeats', 'repeats', 'repeats']);
    const forms = await Promise.all(
      sellers.map(async ([, seller]) => [seller, await encodeForm(await pay(again, seller, 'basic'), [photo, photo])] as const),
    );
    const server = await client.alive();
    const leftBefore = world.temporaryFiles().length;
    const halves = forms.map(([seller, form]) =>
      callOnce(server, seller.token, 'POST', '/listing/create', form, () => new Promise(() => {})).catch((error: unknown) => error),
    );
    await vi.waitFor(() => expect(world.temporaryFiles().length).toBeGreaterThanOrEqual(leftBefore + forms.length), { timeout: patience });
    await kill(server);
    expect((await Promise.all(halves)).every((ending) => ending instanceof LostAnswer)).toBe(true);

    for (const [seller, form] of forms) {
      const answer = await client.call(seller, 'POST', '/listing/create', form);
      expect(answer.status).toBe(201);
      expect(await world.listings(seller)).toEqual(['active basic']);
      expect(await world.charges(seller)).toEqual([1500]);
    }
    await world.expectNoOrphanFiles();
    // Abandoned partial uploads are deleted at the next start.
    world.ageTemporaryFiles();
    await kill(await client.alive());
    await client.alive();
    expect(world.temporaryFiles()).toEqual([]);
  },
  long,
);

type Purchase = { call: 'plan' | 'reactivate'; behaviour: Behaviour; seller: Seller; listingId: string; cardId: string };
const purchaseKinds = (['plan', 'reactivate'] as const).flatMap((call) =>
  (['repeats', 'changes the plan', 'leaves'] as const).map((behaviour) => ({ call, behaviour })),
);

/** A seller with a saved card and a listing, expired if it is to be reactivated. */
async function newPurchase({ call, behaviour }: Pick<Purchase, 'call' | 'behaviour'>): Promise<Purchase> {
  const seller = await world.newSeller(await client.alive());
  const listingId = await publish(again, seller, 'basic');
  const setup = await again(seller, 'POST', '/credit/setup-intent', {});
  await world.submitCard(setup.body.clientSecret);
  const card = await again(seller, 'POST', '/credit', { setupIntentId: setup.body.setupIntentId });
  expect(card.status).toBe(201);
  if (call === 'reactivate') {
    await world.pool.query(
      `with ended as (
         update subscriptions set starts_at = now() - interval '31 days', ends_at = now() - interval '1 day' where user_id = $1 returning id, ends_at
       )
       update listings set status = 'expired', subscription_ends_at = ended.ends_at from ended where subscription_id = ended.id`,
      [seller.id],
    );
  }
  return { call, behaviour, seller, listingId, cardId: card.body._id };
}

const purchase = (caller: Caller, { call, seller, listingId, cardId }: Purchase, plan: PlanType) =>
  caller(seller, 'PUT', `/listing/${listingId}/${call}`, { planId: world.planId(plan), paymentId: cardId });

const newPrices = { plan: { premium: 1050, featured: 2050 }, reactivate: { premium: 2500, featured: 3500 } };

/** Expects that completed changes were charged once and others not, and that the listing shows it. */
async function expectPurchasesPaidOnce(all: readonly Purchase[]) {
  await client.alive();
  await world.reconcile();
  for (const { call, behaviour, seller } of all) {
    const isTrue = (await world.listings(seller))[0]?.match(/^active (premium|featured)$/)?.[1] as 'premium' | 'featured' | undefined;
    expect([call, behaviour, isTrue !== undefined || behaviour === 'leaves']).toEqual([call, behaviour, true]);
    // Refunds are jobs.
    const charged = isTrue ? [1500, newPrices[call][isTrue]] : [1500];
    // If the reconciler books the first choice before the second is made, the second is a separate change of plan that credits the rest of
    // the first.
    const booked =
      behaviour === 'changes the plan' && call === 'plan' && isTrue === 'featured' ? [1500, newPrices.plan.premium, 1083] : charged;
    await expect.poll(() => world.charges(seller), { timeout: patience }).toBeOneOf([charged, booked]);
  }
  await world.expectBalancedBooks();
}

async function purchaseDuringKill(choice: Purchase) {
  const repeats = choice.behaviour === 'repeats';
  const ending = await purchase(repeats ? again : once, choice, 'premium').then(
    // The reconciler may have been faster than the repeated call.
    ({ status, body }) => (status === 200 || body.code === 'listing_already_active' ? 'done' : body),
    (error: unknown) => (error instanceof LostAnswer ? 'no answer' : error),
  );
  expect(ending).toBe(repeats ? 'done' : 'no answer');
}

test.each(['before', 'after'] as const)(
  'killed %s a charge of a saved card: at most one charge, whether the user repeats, changes or abandons',
  async (phase) => {
    const all = await Promise.all(purchaseKinds.map(newPurchase));
    world.stripe.setFault('drop-webhooks');
    killAt((call) => call === 'POST /v1/payment_intents', phase, all.length);
    await Promise.all(all.map(purchaseDuringKill));
    for (const choice of all.filter(({ behaviour }) => behaviour === 'changes the plan')) await purchase(again, choice, 'featured');
    await expectPurchasesPaidOnce(all);
    const left = all.filter(({ behaviour }) => behaviour === 'leaves');
    const shown = await Promise.all(left.map(({ seller }) => world.listings(seller)));
    expect(shown).toEqual(phase === 'after' ? [['active premium'], ['active premium']] : [['active basic'], ['expired basic']]);

    // After a lost response, a browser reloads the state.
    for (const choice of all.filter(({ behaviour }) => behaviour === 'repeats')) await purchase(again, choice, 'premium');
    await expectPurchasesPaidOnce(all);
  },
  long,
);

test(
  'killed at random moments of a plan change or a reactivation: charges each once',
  async () => {
    for (let round = 0; round < 3; round += 1) {
      const all = await Promise.all(purchaseKinds.filter(({ behaviour }) => behaviour === 'repeats').map(newPurchase));
      await Promise.all([...all.map(purchaseDuringKill), killAfter(random() * 60, await client.alive())]);
      await expectPurchasesPaidOnce(all);
    }
  },
  long,
);
