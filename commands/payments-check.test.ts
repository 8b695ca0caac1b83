import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { startProvider } from '@handwise/sandbox/testing/provider';
import { eventTypes } from '@handwise/server/domains/payments/payments.service';
import { checkPayments } from './payments-check.ts';

const { settings, sandbox } = await startProvider({ proxied: true });
const { answerApp, provider, stripe } = sandbox;
afterAll(() => sandbox.closeProvider());
afterEach(async () => {
  answerApp();
  stripe.setFault(null);
  stripe.setStatement();
  for (const { id } of (await provider.webhookEndpoints.list()).data) await provider.webhookEndpoints.del(id);
});

const url = 'https://handwise.example/api/stripe/webhook';
type Types = Parameters<typeof provider.webhookEndpoints.create>[0]['enabled_events'];
const endpoint = (more: { url?: string; events?: readonly string[] } = {}) =>
  provider.webhookEndpoints.create({ url: more.url ?? url, enabled_events: [...(more.events ?? eventTypes)] as Types });

const environment = {
  APP_URL: 'https://handwise.example',
  STRIPE_SECRET_KEY: settings.secretKey,
  STRIPE_PUBLISHABLE_KEY: settings.publishableKey,
  STRIPE_WEBHOOK_SECRET: settings.webhookSecret,
};

async function check(more: Record<string, string> = {}, args: string[] = []) {
  const lines: string[] = [];
  const code = await checkPayments(args, { ...environment, ...more }, (line) => lines.push(line), settings.apiBase);
  return { code, missing: lines.filter((line) => line.startsWith('MISSING')).map((line) => line.replace(/^MISSING +/, '')), lines };
}

const setUps = async () => (await provider.setupIntents.list({ limit: 100 })).data;
const refusing = (path: RegExp, status: number, message = 'No.') =>
  answerApp((call) => (path.test(call.path) ? { status, error: { type: 'invalid_request_error', message } } : undefined));

test('exits with 0 and leaves nothing at the provider if nothing is missing', async () => {
  await endpoint();
  const { code, missing, lines } = await check();
  expect({ code, missing }).toEqual({ code: 0, missing: [] });
  expect(lines[0]).toMatch(/^ok +mode +test: no card is charged$/);
  expect(lines[1]).toMatch(/^ok +account +acct_sandbox, NZ$/);
  expect(lines[2]).toMatch(/^ok +bank statement +payers read “SANDBOX\* PLAN”$/);
  expect(lines.at(-1)).toBe('Nothing is missing.');
  expect((await setUps()).map(({ status }) => status)).toEqual(['canceled']);
  expect((await provider.paymentIntents.list()).data).toEqual([]);
});

test('accepts an endpoint for all events, and ignores a disabled one', async () => {
  const { id } = await endpoint();
  await provider.webhookEndpoints.update(id, { disabled: true });
  await endpoint({ events: ['*'] });
  expect(await check()).toMatchObject({ code: 0, missing: [] });
});

test.each([
  [
    'no endpoint',
    async () => {},
    /^webhook +there is no endpoint .*\/api\/stripe\/webhook: create one for the events .*setup_intent\.succeeded/,
  ],
  ['an endpoint elsewhere', () => endpoint({ url: 'https://old.example/api/stripe/webhook' }), /^webhook +there is no endpoint/],
  [
    'an endpoint without two events',
    () => endpoint({ events: eventTypes.filter((type) => !['customer.deleted', 'payment_intent.succeeded'].includes(type)) }),
    /^webhook +the endpoint .* does not receive customer\.deleted, payment_intent\.succeeded$/,
  ],
  [
    'an endpoint that is disabled',
    async () => {
      const { id } = await endpoint();
      await provider.webhookEndpoints.update(id, { disabled: true });
    },
    /^webhook +the endpoint .* is disabled$/,
  ],
])('reports %s as missing', async (_, prepare, line) => {
  await prepare();
  const { code, missing } = await check();
  expect(code).toBe(1);
  expect(missing).toEqual([expect.stringMatching(line)]);
});

test('reports a missing statement descriptor, and shows the one that payers see', async () => {
  await endpoint();
  stripe.setStatement({ prefix: null, descriptor: null });
  const { code, missing } = await check();
  expect(code).toBe(1);
  expect(missing).toEqual([
    expect.stringMatching(/^bank statement +the account has no statement descriptor, .* suffix PLAN would be refused: set one/),
  ]);
  stripe.setStatement({ prefix: null, descriptor: 'HANDWISE AOTEAROA' });
  expect((await check()).lines[2]).toMatch(/“HANDWISE A\* PLAN”$/);
  stripe.setStatement({ prefix: 'HW', descriptor: null });
  expect((await check()).lines[2]).toMatch(/“HW\* PLAN”$/);
});

test('reports a wrong key once and tries nothing else', async () => {
  const { code, missing, lines } = await check({ STRIPE_SECRET_KEY: 'sk_test_of_another' });
  expect(code).toBe(1);
  expect(missing).toEqual([expect.stringMatching(/^account +the provider rejects the key: Invalid API Key .*\(req_/)]);
  expect(lines.at(-1)).toBe('1 of 3 are missing.');
});

test('reports an unreachable provider once', async () => {
  answerApp(() => ({ status: 500, error: { type: 'api_error', message: 'Oh.' } }));
  expect(await check()).toMatchObject({
    code: 1,
    missing: [expect.stringMatching(/^account +the provider does not answer: Oh\. \(req_of_proxy\)$/)],
  });
});

test.each([
  [/\/account$/, 'account', 'read on Account'],
  [/webhook_endpoints/, 'webhook', 'read on Webhook Endpoints'],
  [/setup_intents/, 'set-up of a card', 'write on SetupIntents'],
  [/customers/, 'customers', 'write on Customers'],
  [/payment_intents/, 'payments', 'write on PaymentIntents'],
  [/refunds/, 'refunds', 'write on Charges and Refunds'],
  [/disputes/, 'disputes', 'read on Disputes'],
  [/early_fraud_warnings/, 'fraud warnings', 'read on Radar'],
])('names the missing permission of a restricted key: %s', async (path, name, right) => {
  await endpoint();
  refusing(path, 403);
  const { code, missing } = await check();
  expect(code).toBe(1);
  expect(missing).toEqual([expect.stringContaining(name)]);
  expect(missing[0]).toContain(`the key lacks a permission: allow ${right}.`);
});

test('detects a publishable key of another account, and cancels the setup intent', async () => {
  await endpoint();
  const { code, missing } = await check({ STRIPE_PUBLISHABLE_KEY: 'pk_test_of_another' });
  expect(code).toBe(1);
  expect(missing).toEqual([expect.stringMatching(/^set-up of a card +STRIPE_PUBLISHABLE_KEY cannot read what STRIPE_SECRET_KEY created/)]);
  expect(new Set((await setUps()).map(({ status }) => status))).toEqual(new Set(['canceled']));
});

test('reports keys that the server would reject, in the same words', async () => {
  expect(await check({ STRIPE_SECRET_KEY: '' })).toMatchObject({
    code: 1,
    lines: [expect.stringContaining('STRIPE_SECRET_KEY is not set')],
  });
  expect(await check({ STRIPE_PUBLISHABLE_KEY: 'pk_live_1' })).toMatchObject({ code: 1, lines: [expect.stringContaining('a live key')] });
  expect(await check({ STRIPE_SECRET_KEY: 'nonsense' })).toMatchObject({ code: 1, lines: [expect.stringContaining('STRIPE_SECRET_KEY')] });
});

test('rejects example values on invoices once cards are charged', async () => {
  refusing(/./, 401);
  const live = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' };
  const own = {
    SITE: '{"legalName":"Willis Trades Limited","legalAddress":"9 Willis Street","nzGstNumber":"123-456-789","abn":"51 824 753 556"}',
  };
  const invoices = async (more: Record<string, string>) => (await check(more)).lines.find((line) => line.includes(' invoices '));
  expect(await invoices(live)).toMatch(/^MISSING invoices .*000-000-000/);
  expect(await invoices({ ...live, ...own })).toMatch(/^ok .*9 Willis Street/);
  expect(await invoices({})).toMatch(/^ok .*examples/);
});

test('lists the events to subscribe to, which the checklist for going live names', async () => {
  const { code, lines } = await check({}, ['--events']);
  expect({ code, lines }).toEqual({ code: 0, lines: eventTypes });
  const checklist = readFileSync(join(import.meta.dirname, '../docs/operations.md'), 'utf8');
  expect(eventTypes.filter((type) => !checklist.includes(`\`${type}\``))).toEqual([]);
});
