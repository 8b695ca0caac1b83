import { expect, test } from 'vitest';
import { card, price, sandbox, secretKey } from './try-stripe.ts';

test('answers 404 if the path names an unknown object', async () => {
  const { stripe, url } = await sandbox();
  const unknown = { statusCode: 404, code: 'resource_missing' };
  await expect(stripe.paymentIntents.retrieve('pi_1')).rejects.toMatchObject({ ...unknown, param: 'intent' });
  await expect(stripe.paymentIntents.confirm('pi_1')).rejects.toMatchObject(unknown);
  await expect(stripe.setupIntents.retrieve('seti_1')).rejects.toMatchObject({ ...unknown, message: "No such setupintent: 'seti_1'" });
  await expect(stripe.customers.retrieve('cus_1')).rejects.toMatchObject(unknown);
  await expect(stripe.paymentMethods.detach('pm_1')).rejects.toMatchObject(unknown);
  await expect(stripe.refunds.retrieve('re_1')).rejects.toMatchObject(unknown);
  await expect(stripe.disputes.retrieve('du_1')).rejects.toMatchObject(unknown);
  const { id } = await stripe.customers.create();
  await stripe.customers.del(id);
  await expect(stripe.customers.del(id)).rejects.toMatchObject(unknown);
  const elsewhere = await fetch(`${url}/v1/balance`, { headers: { authorization: `Bearer ${secretKey}` } });
  expect(elsewhere.status).toBe(404);
});

test('answers 400 and the parameter’s name if a parameter names an unknown object', async () => {
  const { stripe } = await sandbox();
  const { id } = await stripe.customers.create();
  const missing = (param: string) => ({ statusCode: 400, code: 'resource_missing', param });
  await expect(stripe.paymentIntents.create({ ...price, customer: 'cus_1' })).rejects.toMatchObject(missing('customer'));
  await expect(stripe.setupIntents.create({ customer: 'cus_1' })).rejects.toMatchObject(missing('customer'));
  await expect(stripe.paymentIntents.create({ ...price, payment_method: 'pm_1' })).rejects.toMatchObject(missing('payment_method'));
  await expect(stripe.refunds.create({ payment_intent: 'pi_1' })).rejects.toMatchObject(missing('payment_intent'));
  await expect(stripe.refunds.create({ charge: 'ch_1' })).rejects.toMatchObject(missing('charge'));
  await expect(stripe.paymentIntents.list({ starting_after: 'pi_1' })).rejects.toMatchObject(missing('starting_after'));
  await expect(stripe.paymentIntents.list({ starting_after: id })).rejects.toMatchObject(missing('starting_after'));
});

const long = (length: number) => 'x'.repeat(length);

test('limits metadata to 50 keys of 40 characters with values of 500', async () => {
  const { stripe } = await sandbox();
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'x']));
  await stripe.customers.create({ metadata: { ...many(49), [long(40)]: long(500) } });
  await expect(stripe.customers.create({ metadata: many(51) })).rejects.toMatchObject({ statusCode: 400, param: 'metadata' });
  await expect(stripe.customers.create({ metadata: { [long(41)]: 'x' } })).rejects.toMatchObject({
    param: `metadata[${long(41)}]`,
    message: expect.stringContaining('Metadata keys can have up to 40 characters'),
  });
  await expect(stripe.paymentIntents.create({ ...price, metadata: { note: long(501) } })).rejects.toMatchObject({
    param: 'metadata[note]',
    message: expect.stringContaining('Metadata values can have up to 500 characters, but you passed in a value that is 501 characters'),
  });
});

test.each([
  'mere',
  'mere@',
  'mere@localhost',
  'me re@example.org',
  'mere@example.org, wiremu@example.org',
  'mere@@example.org',
  'mere@example.',
])('rejects the email address %s for a customer, a receipt and a card', async (email) => {
  const { stripe, browser } = await sandbox();
  const refused = { statusCode: 400, code: 'email_invalid' };
  await expect(stripe.customers.create({ email })).rejects.toMatchObject({ ...refused, param: 'email' });
  await expect(stripe.paymentIntents.create({ ...price, receipt_email: email })).rejects.toMatchObject({
    ...refused,
    param: 'receipt_email',
  });
  const { body } = await browser(
    '/v1/confirmation_tokens',
    card('4242424242424242', { 'payment_method_data[billing_details][email]': email }),
  );
  expect(body.error.code).toBe('email_invalid');
  expect((await stripe.customers.list()).data).toEqual([]);
});

test.each(['mere.kingi+shop@example.co.nz', "o'neil_1@sub.example.org", 'mere@xn--bcher-kva.example', 'mére@exämple.org'])(
  'accepts the email address %s',
  async (email) => {
    const { stripe } = await sandbox();
    expect(await stripe.customers.create({ email })).toMatchObject({ email });
  },
);

test('limits the length of names, phone numbers and descriptions', async () => {
  const { stripe } = await sandbox();
  const tooLong = (param: string, most: number) => ({ param, message: expect.stringContaining(`must be at most ${most} characters`) });
  await stripe.customers.create({ name: long(256), phone: long(20) });
  await expect(stripe.customers.create({ name: long(257) })).rejects.toMatchObject(tooLong('name', 256));
  await expect(stripe.customers.create({ phone: long(21) })).rejects.toMatchObject(tooLong('phone', 20));
  await stripe.paymentIntents.create({ ...price, description: long(1000) });
  await expect(stripe.paymentIntents.create({ ...price, description: long(1001) })).rejects.toMatchObject(tooLong('description', 1000));
  await expect(stripe.setupIntents.create({ description: long(1001) })).rejects.toMatchObject(tooLong('description', 1000));
});

test('appends a short, plain statement suffix to the account’s name', async () => {
  const { stripe, charge } = await sandbox();
  const paying = { ...price, payment_method: 'pm_card_visa', confirm: true };
  const paid = await stripe.paymentIntents.create({ ...paying, statement_descriptor_suffix: 'PREMIUM' });
  expect(await charge(paid)).toMatchObject({ calculated_statement_descriptor: 'SANDBOX* PREMIUM' });
  const refused = { statusCode: 400, param: 'statement_descriptor_suffix' };
  for (const statement_descriptor_suffix of [long(23), 'A*B', 'A<B', "A'B", 'A"B', 'A\\B', '123']) {
    await expect(stripe.paymentIntents.create({ ...price, statement_descriptor_suffix })).rejects.toMatchObject(refused);
  }
  await expect(stripe.paymentIntents.create({ ...price, statement_descriptor: 'HANDWISE' })).rejects.toMatchObject({
    param: 'statement_descriptor',
    code: 'payment_intent_invalid_parameter',
  });
});

test('requires a name in the account’s settings for a suffix, and cuts both to 22 characters', async () => {
  const { stripe, charge, setStatement } = await sandbox();
  const paying = { ...price, payment_method: 'pm_card_visa', confirm: true };
  const suffixed = { ...paying, statement_descriptor_suffix: 'PREMIUM PLAN' };
  const statementOf = async (params: typeof paying) =>
    (await charge(await stripe.paymentIntents.create(params))).calculated_statement_descriptor;
  setStatement({ prefix: null, descriptor: 'HANDWISE AOTEAROA' });
  expect([await statementOf(suffixed), await statementOf(paying)]).toEqual(['HANDWISE A* PREMIUM PL', 'HANDWISE AOTEAROA']);
  setStatement({ prefix: null, descriptor: null });
  await expect(stripe.paymentIntents.create(suffixed)).rejects.toMatchObject({ statusCode: 400, param: 'statement_descriptor_suffix' });
  expect(await statementOf(paying)).toBeNull();
  setStatement({ prefix: 'HW', descriptor: null });
  expect([await statementOf(suffixed), await statementOf(paying)]).toEqual(['HW* PREMIUM PLAN', 'HW']);
  setStatement();
  expect(await statementOf(paying)).toBe('SANDBOX');
});

test('takes automatic payment methods and rejects named types', async () => {
  const { stripe } = await sandbox();
  const automatic_payment_methods = { enabled: true, allow_redirects: 'never' } as const;
  expect(await stripe.paymentIntents.create({ ...price, automatic_payment_methods })).toMatchObject({ automatic_payment_methods });
  const none = { automatic_payment_methods: { enabled: false } };
  expect(await stripe.paymentIntents.create({ ...price, ...none })).toMatchObject({ automatic_payment_methods: null });
  expect(await stripe.setupIntents.create(none)).toMatchObject({ automatic_payment_methods: null });
  // This version of the API has removed the parameter, even beside the other one.
  const named = { payment_method_types: ['card'] };
  for (const more of [named, { automatic_payment_methods, ...named }]) {
    const refused = { statusCode: 400, code: 'parameter_unknown', param: 'payment_method_types' };
    await expect(stripe.paymentIntents.create({ ...price, ...more })).rejects.toMatchObject(refused);
    await expect(stripe.setupIntents.create(more as object)).rejects.toMatchObject(refused);
  }
});

test('rejects payments below 50 cents', async () => {
  const { stripe } = await sandbox();
  for (const currency of ['nzd', 'aud']) {
    expect((await stripe.paymentIntents.create({ currency, amount: 50 })).amount).toBe(50);
    await expect(stripe.paymentIntents.create({ currency, amount: 49 })).rejects.toMatchObject({ code: 'amount_too_small' });
  }
});

test('accepts only the known parts of an address, and a country of two letters', async () => {
  const { stripe } = await sandbox();
  expect(await stripe.customers.create({ address: { country: 'NZ', city: 'Napier' } })).toMatchObject({ address: { city: 'Napier' } });
  await expect(stripe.customers.create({ address: { country: 'New Zealand' } })).rejects.toMatchObject({ code: 'country_code_invalid' });
  await expect(stripe.customers.create({ address: { suburb: 'x' } as object })).rejects.toMatchObject({ param: 'address[suburb]' });
});

test.each([
  ['currency=nzd', 'parameter_missing'],
  ['amount=15.5&currency=nzd', 'parameter_invalid_integer'],
  ['amount=1&currency=nzd', 'amount_too_small'],
  ['amount=1500&currency=nzd&capture_method=manual', 'parameter_unknown'],
  ['amount=1500&currency=nzd&automatic_payment_methods[enabled]=true&automatic_payment_methods[invented]=1', 'parameter_unknown'],
  ['amount=1500&currency=nzd&automatic_payment_methods[allow_redirects]=never', 'parameter_missing'],
  ['amount=0&currency=nzd', 'parameter_invalid_integer'],
  ['amount=100000000&currency=nzd', 'amount_too_large'],
  ['amount=1500&currency=nzd&allowed_payment_method_types[]=paypal', undefined],
  ['amount=1500&currency=nzd&customer=cus_1', 'resource_missing'],
  ['amount=1500&currency=nzd&amount[a]=1', undefined],
  ['amount[a]=1500&currency=nzd', undefined],
  ['amount=1500&currency=kiwi', undefined],
  ['amount=1500&currency=zzz', undefined],
  ['amount=1500&currency=nzd&expand[]=metadata.a', undefined],
  ['amount=1500&currency=nzd&confirm=true', 'payment_intent_unexpected_state'],
  ['amount=1500&currency=nzd&off_session=true', undefined],
  ['a[b][c][d][e][f][g][h]=1', undefined],
  ['[]=1', 'parameter_unknown'],
  ['__proto__[polluted]=1', 'parameter_unknown'],
  ['%E0%A4%A=%', 'parameter_unknown'],
])('rejects %s and stores nothing', async (body, code) => {
  const { stripe, url, events } = await sandbox();
  const answer = await fetch(`${url}/v1/payment_intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });
  const { error } = (await answer.json()) as any;
  expect(answer.status).toBe(400);
  expect(error.type).toBe('invalid_request_error');
  expect(error.code).toBe(code);
  expect(await events()).toEqual([]);
  expect((await stripe.paymentIntents.list()).data).toEqual([]);
});

test('rejects a body that is too long', async () => {
  const { url } = await sandbox();
  const answer = await fetch(`${url}/v1/payment_intents`, { method: 'POST', body: 'a='.padEnd(300_000, 'x') });
  expect(answer.status).toBe(413);
});
