import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routes } from './routes.ts';
import { card, publishableKey, sandbox, secretKey } from './try-stripe.ts';
import { typeErrors } from './type-checker.ts';

type Fields = Record<string, string>;
type Seen = {
  id: string;
  client_secret: string;
  payment_method: string;
  latest_charge: string;
  data: { id: string }[];
  error?: { code?: string };
};

/** Makes each call of the stand-in and causes each kind of event at least once, and returns the responses. */
async function everything() {
  const { url, control } = await sandbox();
  const recorded: { name: string; route: unknown; answer: object }[] = [];
  const api = async (method: string, path: string, fields: Fields = {}, key = secretKey) => {
    const params = new URLSearchParams(fields);
    const headers = { authorization: `Bearer ${key}` };
    const answer = await (method === 'POST'
      ? fetch(url + path, { method, headers, body: params })
      : fetch(`${url}${path}?${params.toString()}`, { method, headers }));
    const body = (await answer.json()) as Seen;
    const route = body.error ? null : routes.find((one) => one.method === method && one.path.test(path));
    const isOfBrowser = key === publishableKey && path === '/v1/confirmation_tokens';
    if ((key === secretKey || isOfBrowser) && !path.startsWith('/sandbox/'))
      recorded.push({ name: `${method} ${path} ${params.toString()}`, route, answer: body });
    return body;
  };
  const get = (path: string, fields?: Fields) => api('GET', path, fields);
  const post = (path: string, fields?: Fields) => api('POST', path, fields);
  const page = (path: string, id: string) => Promise.all([get(path), get(`${path}/${id}`)]);
  const authenticate = ({ client_secret }: Seen, outcome: string) =>
    api('POST', '/sandbox/authenticate', { client_secret, outcome }, publishableKey);
  const price = { amount: '1500', currency: 'nzd' };
  const pay = (method: string, more: Fields = {}) =>
    post('/v1/payment_intents', { ...price, payment_method: method, confirm: 'true', ...more });

  const address = { 'address[country]': 'NZ', 'address[city]': 'Napier' };
  const customer = await post('/v1/customers', { email: 'mere@example.org', name: 'Mere Kingi', 'metadata[user]': '1', ...address });
  await page('/v1/customers', customer.id);

  const saved = await post('/v1/setup_intents', { customer: customer.id, confirm: 'true', payment_method: 'pm_card_visa' });
  const method = { id: saved.payment_method };
  await get(`/v1/payment_methods/${method.id}`);
  control.renewCard(method.id, { exp_month: 3 });

  const setup = await post('/v1/setup_intents', { customer: customer.id, usage: 'off_session' });
  await post(`/v1/setup_intents/${setup.id}/confirm`, card('4000000000000002'));
  await post(`/v1/setup_intents/${setup.id}/confirm`, { ...card('4000002500003155'), return_url: 'https://shop.example/' });
  await authenticate(setup, 'fail');
  await get(`/v1/setup_intents/${setup.id}`);
  await post(`/v1/setup_intents/${setup.id}/confirm`, card('5555555555554444'));
  await get('/v1/setup_intents', { 'expand[]': 'data.payment_method' });
  await post(`/v1/setup_intents/${(await post('/v1/setup_intents')).id}/cancel`, { cancellation_reason: 'abandoned' });

  const open = await post('/v1/payment_intents', { ...price, customer: customer.id, 'automatic_payment_methods[enabled]': 'true' });
  await post(`/v1/payment_intents/${open.id}/confirm`, card('4000002760003184'));
  await authenticate(open, 'fail');
  await post(`/v1/payment_intents/${open.id}/confirm`, card('4000002500003155'));
  await authenticate(open, 'success');
  await page('/v1/payment_intents', open.id);
  await get(`/v1/payment_intents/${open.id}`, { 'expand[0]': 'latest_charge', 'expand[1]': 'payment_method', 'expand[2]': 'customer' });
  await post(`/v1/payment_intents/${(await post('/v1/payment_intents', price)).id}/cancel`);
  const fields = { ...card('4000002760003184'), return_url: 'https://shop.example/', setup_future_usage: 'on_session' };
  const token = await api('POST', '/v1/confirmation_tokens', fields, publishableKey);
  const byToken = await post('/v1/payment_intents', { ...price, confirm: 'true', customer: customer.id, confirmation_token: token.id });
  await authenticate(byToken, 'success');
  const onPage = { ...card('4000000000003063'), return_url: 'https://shop.example/' };
  const another = await api('POST', '/v1/confirmation_tokens', onPage, publishableKey);
  const common = { customer: customer.id, confirm: 'true', return_url: 'https://shop.example/' };
  await post('/v1/setup_intents', { ...common, confirmation_token: another.id });
  await pay('pm_card_processing', { statement_descriptor_suffix: 'PREMIUM' });

  const paid = await pay('pm_card_pendingRefund');
  const refund = await post('/v1/refunds', { payment_intent: paid.id, amount: '500', reason: 'requested_by_customer' });
  await page('/v1/refunds', refund.id);
  const waiting = await post('/v1/refunds', { charge: paid.latest_charge, amount: '100' });
  control.moveRefund(waiting.id, 'requires_action');
  await post('/v1/refunds', { payment_intent: (await pay('pm_card_refundFail')).id });
  control.settle();
  await page('/v1/charges', paid.latest_charge);

  const warned = await pay('pm_card_createIssuerFraudRecord');
  const [warning] = (await get('/v1/radar/early_fraud_warnings')).data;
  await get(`/v1/radar/early_fraud_warnings/${warning?.id}`, { 'expand[]': 'charge' });
  control.openDispute(warned.id, { inquiry: true });
  await pay('pm_card_createDispute');
  const [lost, inquiry] = (await get('/v1/disputes')).data;
  control.escalateInquiry(inquiry?.id ?? '');
  control.endDispute(inquiry?.id ?? '', 'won');
  control.endDispute(lost?.id ?? '', 'lost');
  await get(`/v1/disputes/${inquiry?.id}`, { 'expand[]': 'charge' });

  await get('/v1/account');
  const endpoint = await post('/v1/webhook_endpoints', { url: 'https://shop.example/webhook', 'enabled_events[]': 'refund.failed' });
  await post(`/v1/webhook_endpoints/${endpoint.id}`, { disabled: 'true' });
  await get('/v1/webhook_endpoints');
  await api('DELETE', `/v1/webhook_endpoints/${endpoint.id}`);
  await post(`/v1/payment_methods/${method.id}/detach`);
  await api('DELETE', `/v1/customers/${customer.id}`);
  await get(`/v1/customers/${customer.id}`);

  const refusals = [
    await post('/v1/payment_intents', { ...price, customer: 'cus_1' }),
    await post('/v1/payment_intents', { ...price, confirm: 'true', confirmation_token: token.id }),
    await post('/v1/payment_intents', { ...price, confirmation_token: 'ctoken_1' }),
    await post('/v1/payment_intents', { ...price, confirm: 'true', confirmation_token: 'ctoken_1' }),
    await post('/v1/confirmation_tokens', card('4242424242424242')),
    await post('/v1/payment_intents', { ...price, amount: '1' }),
    await post('/v1/payment_intents', { ...price, amount: '999999999' }),
    await post('/v1/payment_intents', { currency: 'nzd' }),
    await post('/v1/payment_intents', { ...price, invented: '1' }),
    await post('/v1/payment_intents', { ...price, statement_descriptor: 'X' }),
    await post('/v1/customers', { email: 'mere' }),
    await post('/v1/customers', { 'address[country]': 'nowhere' }),
    await post('/v1/refunds', { charge: String(lost?.id).replace('du_', 'ch_') }),
    await pay('pm_card_visa_chargeDeclinedExpiredCard'),
    await pay('pm_card_visa_chargeDeclinedIncorrectCvc'),
    await pay('pm_card_visa_chargeDeclinedProcessingError'),
    await pay('pm_card_authenticationRequired', { off_session: 'true' }),
    await post(`/v1/payment_intents/${paid.id}/confirm`),
    await get('/v1/nothing'),
    await api('GET', '/v1/customers', {}, 'sk_test_other'),
  ];
  expect(refusals.filter(({ error }) => !error)).toEqual([]);

  const events: { id: string; type: string }[] = [];
  for (let more = true, last = {}; more;) {
    const found = (await get('/v1/events', { limit: '100', ...last })) as unknown as {
      data: { id: string; type: string }[];
      has_more: boolean;
    };
    events.push(...found.data);
    more = found.has_more;
    last = { starting_after: found.data.at(-1)?.id ?? '' };
  }
  return { recorded, events };
}

test('gives responses and events the types of the installed library', async () => {
  const { recorded, events } = await everything();
  const answered = new Set(recorded.map(({ route }) => route));
  const ofProvider = routes.filter(({ path }) => path.test('/v1/') || path.source.startsWith('^\\/v1') || path.source.startsWith('^/v1'));
  expect(ofProvider.filter((route) => !answered.has(route)).map(({ method, path }) => `${method} ${path.source}`)).toEqual([]);

  const sources = globSync('**/*.ts', { cwd: import.meta.dirname, exclude: ['**/*.test.ts'] });
  const code = sources.map((file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8')).join('\n');
  const names = /'((?:charge|customer|payment_intent|payment_method|refund|setup_intent|radar\.early_fraud_warning)\.[a-z_.]+)'/g;
  const made = new Set([...code.matchAll(names)].map(([, name]) => name));
  expect(new Set(events.map(({ type }) => type))).toEqual(made);

  const lists = recorded.filter(({ name }) => !name.startsWith('GET /v1/events limit'));
  const all = [...lists, ...events.map((event) => ({ name: `${event.type} ${event.id}`, answer: event }))];
  expect(await typeErrors(all)).toBeNull();
});

test('finds a missing, unknown or wrong field and an unknown error code', async () => {
  const { stripe } = await sandbox();
  const customer = JSON.parse(JSON.stringify(await stripe.customers.create())) as Record<string, unknown>;
  const { created: _, ...incomplete } = customer;
  const errors = await typeErrors([
    { name: 'whole', answer: customer },
    { name: 'incomplete', answer: incomplete },
    { name: 'invented', answer: { ...customer, invented: 1 } },
    { name: 'other kind', answer: { ...customer, balance: '0' } },
    { name: 'no such code', answer: { error: { type: 'invalid_request_error', code: 'invented_code', message: 'No.' } } },
    { name: 'nothing known', answer: { id: 'x_1', object: 'invented' } },
    { name: 'whole list', answer: { object: 'list', data: [customer], has_more: false, url: '/v1/customers' } },
  ]);
  const named = new Set((errors ?? '').split('\n').map((line) => line.split(':')[0]));
  expect([...named].filter((name) => name && !name.startsWith(' '))).toEqual([
    'incomplete',
    'invented',
    'other kind',
    'no such code',
    'nothing known',
  ]);
});
