import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { auditAtProvider } from '@handwise/server/composition/audit';
import { checkProvider, reconcilePayments } from '@handwise/server/domains/payments/payments.service';
import { testApp } from '../testing/app.ts';
import { startProvider, webhookSender } from '../testing/provider.ts';
import { getTypeName, type Request, requestErrors, resources } from './type-checker.ts';

const { app, db, given, callers, sandbox, outbox, parts } = await testApp({}, null, { proxied: true });
const { as, confirm } = callers;
const { collect, provider, stripe, confirmAtProvider } = sandbox;
const other = await startProvider({ proxied: true });
afterAll(() => other.sandbox.closeProvider());

const recorded: Request[] = [];
for (const { answerApp } of [sandbox, other.sandbox]) {
  answerApp(({ method, path, query, body }) => void recorded.push({ method, path, params: method === 'GET' ? query : body }));
}
const send = webhookSender({ app, sandbox, parts });
async function receive(type: string, object: { id: string }) {
  await send(type, object);
  await outbox.runJobs();
}

/** Uses every feature that calls the provider, once. */
async function everything() {
  const buyer = await given.user();
  const wanted = (planId: string) => as(buyer).post('/plan-user/create-intent', { planId, country: 'NZ' });
  await wanted(given.planId('basic'));
  const { clientSecret, paymentIntentId: intentId } = (await wanted(given.planId('premium'))).body;
  await confirmAtProvider(clientSecret);
  await confirm(buyer, intentId);
  const published = await as(buyer).postForm('/listing/create', given.listingForm('premium', { paymentId: intentId }));
  const card = await given.card(buyer);
  await sql`update payment_customers set livemode = null, account = null where user_id = ${buyer._id}`.execute(db);
  await as(buyer).put(`/listing/${published.body._id}/plan`, { planId: given.planId('featured'), paymentId: card });
  const { payment_method_id: method } = await db
    .selectFrom('cards')
    .select('payment_method_id')
    .where('id', '=', card)
    .executeTakeFirstOrThrow();
  await receive('payment_method.updated', { id: method });
  await as(buyer).delete(`/credit/${card}`);
  const payer = await given.user();
  const started = await as(payer).post('/plan-user/create-intent', { planId: given.planId('basic') });
  const way = { confirmationToken: await collect(), saveCard: true };
  await as(payer).post('/plan-user/pay', { paymentIntentId: started.body.paymentIntentId, ...way });
  const { setupIntentId } = (await as(payer).post('/credit/setup-intent')).body;
  await as(payer).post('/credit/confirm-setup', { setupIntentId, confirmationToken: await collect() });

  const lost = await given.user();
  await given.payment(lost);
  await sql`update payments set intent_id = null where user_id = ${lost._id}`.execute(db);
  await reconcilePayments(parts.payments, true);

  const admin = await given.administrator();
  await as(admin).post('/auth/confirm-identity', { password: 'correct-horse' });
  const { id } = await db.selectFrom('payments').select('id').where('intent_id', '=', intentId).executeTakeFirstOrThrow();
  await as(admin).post(`/admin/payment/${id}/refund`, { amountMinor: 100, reason: 'So.', requestId: crypto.randomUUID() });
  await outbox.runJobs();
  const [refund] = (await provider.refunds.list({ payment_intent: intentId })).data;
  await receive('refund.updated', { id: refund?.id ?? '' });
  await receive('charge.refunded', { id: String(refund?.charge) });
  await receive('charge.dispute.created', stripe.control.openDispute(intentId, { amount: 100 }));
  await receive('radar.early_fraud_warning.created', stripe.control.warn(intentId));
  const left = await as(lost).delete('/auth/account', { currentPassword: 'correct-horse' });
  expect(left.status).toBe(200);
  await outbox.runJobs();

  const day = 86_400_000;
  await auditAtProvider(db, other.settings, { from: new Date(Date.now() - day), to: new Date(Date.now() + day) });
  await checkProvider(other.settings, 'https://handwise.example');
}

/** The calls of the provider's library in the server's code. */
function callsInCode(): Set<string> {
  const root = join(import.meta.dirname, '../../../server/src');
  const code = globSync('**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).map((file) => readFileSync(join(root, file), 'utf8'));
  const names = Object.keys(resources).map((name) => name.replace('.', String.raw`\.`));
  const call = new RegExp(String.raw`\.(?:${names.join('|')})\.[a-z]\w*(?=\()`, 'g');
  return new Set(code.flatMap((text) => text.match(call) ?? []).map((name) => name.slice(1)));
}

test('sends only parameters that the installed library knows', async () => {
  await everything();
  const made = new Set(recorded.map(getTypeName));
  expect([...callsInCode()].filter((name) => !made.has(name))).toEqual([]);
  expect(await requestErrors(recorded)).toBeNull();
});

test('finds a missing, unknown or wrong parameter and an unknown call', async () => {
  const request = (method: string, path: string, params: string): Request => ({ method, path, params: new URLSearchParams(params) });
  const errors = await requestErrors([
    request('POST', '/v1/payment_intents', 'amount=1500&currency=nzd&metadata[a]=1&allowed_payment_method_types[0]=card&confirm=true'),
    request('POST', '/v1/payment_intents', 'currency=nzd'),
    request('POST', '/v1/payment_intents', 'amount=1500&currency=nzd&invented=1'),
    request('POST', '/v1/payment_intents', 'amount=much&currency=nzd'),
    request('POST', '/v1/payment_intents', 'amount=1500&currency=nzd&confirm=perhaps'),
    request('GET', '/v1/refunds', 'limit=100&created[gte]=1&created[lt]=2'),
    request('GET', '/v1/refunds', 'limit=100&created[after]=1'),
    request('GET', '/v1/invented', ''),
  ]);
  const named = (errors ?? '').split('\n').flatMap((line) => /^(\w+ \S+ \S*): error/.exec(line)?.[1] ?? []);
  expect(new Set(named)).toEqual(
    new Set([
      'POST /v1/payment_intents currency=nzd',
      'POST /v1/payment_intents amount=1500&currency=nzd&invented=1',
      'POST /v1/payment_intents amount=much&currency=nzd',
      'POST /v1/payment_intents amount=1500&currency=nzd&confirm=perhaps',
      'GET /v1/refunds limit=100&created%5Bafter%5D=1',
      'GET /v1/invented ',
    ]),
  );
});
