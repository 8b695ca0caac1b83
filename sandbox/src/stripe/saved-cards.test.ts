import { expect, test } from 'vitest';
import { card, price, sandbox } from './try-stripe.ts';

test('charges a card off session that was saved with a payment', async () => {
  const { stripe, confirm, events } = await sandbox();
  const customer = await stripe.customers.create({ email: 'mere@example.org', name: 'Mere Kingi' });
  const first = await stripe.paymentIntents.create({ ...price, customer: customer.id, setup_future_usage: 'off_session' });
  await confirm(first, card('4242424242424242'));
  const method = String((await stripe.paymentIntents.retrieve(first.id)).payment_method);
  expect(await stripe.paymentMethods.retrieve(method)).toMatchObject({ customer: customer.id, card: { last4: '4242' } });
  expect(await events()).toContain('payment_method.attached');
  const second = await stripe.paymentIntents.create({
    ...price,
    customer: customer.id,
    payment_method: method,
    off_session: true,
    confirm: true,
    expand: ['latest_charge'],
  });
  expect(second).toMatchObject({ status: 'succeeded', latest_charge: { paid: true } });
  const listed = await stripe.paymentIntents.list({ customer: customer.id, limit: 1 });
  expect(listed).toMatchObject({ data: [{ id: second.id }], has_more: true });
  const all = [];
  for await (const one of stripe.paymentIntents.list({ customer: customer.id, limit: 1 })) all.push(one.id);
  expect(all).toEqual([second.id, first.id]);
});

test('saves the card of a customer with a setup intent, also through 3-D Secure', async () => {
  const { stripe, confirm, browser, events } = await sandbox();
  const customer = await stripe.customers.create();
  const plain = await stripe.setupIntents.create({ customer: customer.id, allowed_payment_method_types: ['card'] });
  expect((await confirm(plain, card('5555555555554444'))).body.status).toBe('succeeded');
  const secure = await stripe.setupIntents.create({ customer: customer.id });
  expect((await confirm(secure, card('4000002500003155'))).body.status).toBe('requires_action');
  const passed = await browser('/sandbox/authenticate', { client_secret: secure.client_secret ?? '', outcome: 'success' });
  expect(passed.body.status).toBe('succeeded');
  expect(await events()).toContain('setup_intent.succeeded');
  const seen = await stripe.setupIntents.retrieve(plain.id, { expand: ['payment_method'] });
  expect(seen.payment_method).toMatchObject({ customer: customer.id, card: { brand: 'mastercard' } });
});

test('saves nothing if the card is declined or the bank’s check fails', async () => {
  const { stripe, confirm, browser, events } = await sandbox();
  const customer = await stripe.customers.create();
  const setup = await stripe.setupIntents.create({ customer: customer.id });
  const declined = await confirm(setup, card('4000000000000002'));
  expect(declined).toMatchObject({ status: 402, body: { error: { code: 'card_declined', setup_intent: { id: setup.id } } } });
  await confirm(setup, card('4000002500003155'));
  const failed = await browser('/sandbox/authenticate', { client_secret: setup.client_secret ?? '', outcome: 'fail' });
  expect(failed.body).toMatchObject({ last_setup_error: { code: 'setup_intent_authentication_failure' } });
  expect(await events()).not.toContain('payment_method.attached');
  expect((await stripe.setupIntents.cancel(setup.id)).status).toBe('canceled');
  await expect(stripe.setupIntents.confirm(setup.id)).rejects.toMatchObject({ code: 'setup_intent_unexpected_state' });
});

test('saves 4000000000000341, and declines it when it is charged', async () => {
  const { stripe, confirm } = await sandbox();
  const customer = await stripe.customers.create();
  const setup = await stripe.setupIntents.create({ customer: customer.id });
  const { body } = await confirm(setup, card('4000000000000341'));
  const charging = { ...price, customer: customer.id, payment_method: body.payment_method, off_session: true, confirm: true };
  await expect(stripe.paymentIntents.create(charging)).rejects.toMatchObject({
    type: 'StripeCardError',
    code: 'card_declined',
    payment_intent: { status: 'requires_payment_method' },
  });
});

test('declines a saved card that always authenticates off session, and challenges it on session', async () => {
  const { stripe, confirm, browser } = await sandbox();
  const customer = await stripe.customers.create();
  const setup = await stripe.setupIntents.create({ customer: customer.id });
  const { body } = await confirm(setup, card('4000002760003184'));
  await browser('/sandbox/authenticate', { client_secret: setup.client_secret ?? '', outcome: 'success' });
  const charging = { ...price, customer: customer.id, payment_method: body.payment_method, confirm: true };
  await expect(stripe.paymentIntents.create({ ...charging, off_session: true })).rejects.toMatchObject({
    statusCode: 402,
    code: 'authentication_required',
    decline_code: 'authentication_required',
  });
  await expect(stripe.paymentIntents.create({ ...charging, error_on_requires_action: true })).rejects.toMatchObject({ statusCode: 402 });
  expect((await stripe.paymentIntents.create(charging)).status).toBe('requires_action');
});

test('rejects a detached card, another customer’s card and one used without being saved', async () => {
  const { stripe, events, save } = await sandbox();
  const mine = await stripe.customers.create();
  const other = await stripe.customers.create();
  const method = await save(mine.id);
  const charging = { ...price, payment_method: method, confirm: true };
  await expect(stripe.paymentIntents.create({ ...charging, customer: other.id })).rejects.toMatchObject({ statusCode: 400 });
  await expect(stripe.paymentIntents.create(charging)).rejects.toMatchObject({ statusCode: 400 });
  expect((await stripe.paymentMethods.detach(method)).customer).toBeNull();
  await expect(stripe.paymentIntents.create({ ...charging, customer: mine.id })).rejects.toThrow('may not be used again');
  await expect(stripe.paymentMethods.detach(method)).rejects.toThrow('detachment is impossible');
  const single = await stripe.paymentIntents.create({ ...price, payment_method: 'pm_card_visa', confirm: true });
  const again = stripe.paymentIntents.create({ ...price, payment_method: String(single.payment_method), confirm: true });
  await expect(again).rejects.toThrow('may not be used again');
  expect(await events()).toEqual(expect.arrayContaining(['payment_method.attached', 'payment_method.detached']));
});

test('finds a customer by email and deletes it with its cards', async () => {
  const { stripe, save } = await sandbox();
  const { id } = await stripe.customers.create({ email: 'mere@example.org', metadata: { user: '1' } });
  const method = await save(id);
  const { data } = await stripe.customers.list({ email: 'mere@example.org' });
  expect(data).toMatchObject([{ id, email: 'mere@example.org', metadata: { user: '1' } }]);
  await stripe.customers.del(id);
  expect(await stripe.customers.retrieve(id)).toMatchObject({ id, deleted: true });
  expect((await stripe.paymentMethods.retrieve(method)).customer).toBeNull();
  await expect(stripe.setupIntents.create({ customer: id })).rejects.toMatchObject({ code: 'resource_missing' });
});

test('charges 4000 0025 0000 3155 off session only after it was set up, and always challenges it on session', async () => {
  const { stripe, confirm, browser } = await sandbox();
  const customer = await stripe.customers.create();
  const charging = { ...price, customer: customer.id, confirm: true };
  const alone = (payment_method: string) => stripe.paymentIntents.create({ ...charging, payment_method, off_session: true });
  await expect(alone('pm_card_authenticationRequiredOnSetup')).rejects.toMatchObject({ code: 'authentication_required' });

  const setup = await stripe.setupIntents.create({ customer: customer.id });
  const { body } = await confirm(setup, card('4000002500003155'));
  await browser('/sandbox/authenticate', { client_secret: setup.client_secret ?? '', outcome: 'success' });
  expect(await alone(body.payment_method)).toMatchObject({ status: 'succeeded' });
  expect(await stripe.paymentIntents.create({ ...charging, payment_method: body.payment_method })).toMatchObject({
    status: 'requires_action',
  });

  const forLater = await stripe.paymentIntents.create({ ...price, customer: customer.id, setup_future_usage: 'off_session' });
  const paid = await confirm(forLater, card('4000002500003155'));
  await browser('/sandbox/authenticate', { client_secret: forLater.client_secret ?? '', outcome: 'success' });
  expect(await alone(paid.body.payment_method)).toMatchObject({ status: 'succeeded' });
});

test('renews a saved card as the networks do', async () => {
  const { stripe, control, eventsOf, save } = await sandbox();
  const method = await save((await stripe.customers.create()).id);
  const renewed = await eventsOf(() => control.renewCard(method, { exp_month: 7, exp_year: 2045, last4: '1881' }));
  expect(renewed.map(({ type }) => type)).toEqual(['payment_method.automatically_updated']);
  expect(await stripe.paymentMethods.retrieve(method)).toMatchObject({ card: { exp_month: 7, exp_year: 2045, last4: '1881' } });
});
