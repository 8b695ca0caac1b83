import { expect, test } from 'vitest';
import { card, price, sandbox } from '../try-stripe.ts';

test('a card saved with a payment is charged later without its owner', async () => {
  const { stripe, confirm, events } = await sandbox();
  const customer = await stripe.customers.create({ email: 'mere@example.org', name: 'Mere Kingi' });
  const first = await stripe.paymentIntents.create({ ...price, customer: customer.id, setup_future_usage: 'off_session' });
  await confirm(first, card('4242424242424242'));
  const { data } = await stripe.paymentMethods.list({ customer: customer.id, type: 'card' });
  expect(data).toMatchObject([{ customer: customer.id, card: { last4: '4242' } }]);
  expect((await stripe.customers.listPaymentMethods(customer.id)).data).toEqual(data);
  expect(await events()).toContain('payment_method.attached');
  const second = await stripe.paymentIntents.create({
    ...price,
    customer: customer.id,
    payment_method: data[0]?.id ?? '',
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

test('a set-up saves the card of its customer, also through 3-D Secure', async () => {
  const { stripe, confirm, browser, events } = await sandbox();
  const customer = await stripe.customers.create();
  const plain = await stripe.setupIntents.create({ customer: customer.id, allowed_payment_method_types: ['card'] });
  expect((await confirm(plain, card('5555555555554444'))).body.status).toBe('succeeded');
  const secure = await stripe.setupIntents.create({ customer: customer.id });
  expect((await confirm(secure, card('4000002500003155'))).body.status).toBe('requires_action');
  expect((await stripe.paymentMethods.list({ customer: customer.id })).data).toHaveLength(1);
  const passed = await browser('/sandbox/authenticate', { client_secret: secure.client_secret ?? '', outcome: 'success' });
  expect(passed.body.status).toBe('succeeded');
  expect((await stripe.paymentMethods.list({ customer: customer.id })).data).toHaveLength(2);
  expect(await events()).toContain('setup_intent.succeeded');
  const seen = await stripe.setupIntents.retrieve(plain.id, { expand: ['payment_method'] });
  expect(seen.payment_method).toMatchObject({ customer: customer.id, card: { brand: 'mastercard' } });
});

test('a set-up with a card that is declined, or that fails at the bank, saves nothing', async () => {
  const { stripe, confirm, browser } = await sandbox();
  const customer = await stripe.customers.create();
  const setup = await stripe.setupIntents.create({ customer: customer.id });
  const declined = await confirm(setup, card('4000000000000002'));
  expect(declined).toMatchObject({ status: 402, body: { error: { code: 'card_declined', setup_intent: { id: setup.id } } } });
  await confirm(setup, card('4000002500003155'));
  const failed = await browser('/sandbox/authenticate', { client_secret: setup.client_secret ?? '', outcome: 'fail' });
  expect(failed.body).toMatchObject({ last_setup_error: { code: 'setup_intent_authentication_failure' } });
  expect((await stripe.paymentMethods.list({ customer: customer.id })).data).toEqual([]);
  expect((await stripe.setupIntents.cancel(setup.id)).status).toBe('canceled');
  await expect(stripe.setupIntents.confirm(setup.id)).rejects.toMatchObject({ code: 'setup_intent_unexpected_state' });
});

test('4000000000000341 can be saved, and fails when it is charged', async () => {
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

test('a saved card with 3-D Secure is refused without its owner and asks with them', async () => {
  const { stripe } = await sandbox();
  const customer = await stripe.customers.create();
  const method = await stripe.paymentMethods.attach('pm_card_authenticationRequired', { customer: customer.id });
  const charging = { ...price, customer: customer.id, payment_method: method.id, confirm: true };
  await expect(stripe.paymentIntents.create({ ...charging, off_session: true })).rejects.toMatchObject({
    statusCode: 402,
    code: 'authentication_required',
    decline_code: 'authentication_required',
  });
  await expect(stripe.paymentIntents.create({ ...charging, error_on_requires_action: true })).rejects.toMatchObject({ statusCode: 402 });
  expect((await stripe.paymentIntents.create(charging)).status).toBe('requires_action');
});

test("a detached card, somebody else's card, and one used without being kept pay no more", async () => {
  const { stripe, events } = await sandbox();
  const mine = await stripe.customers.create();
  const other = await stripe.customers.create();
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: mine.id });
  const charging = { ...price, payment_method: method.id, confirm: true };
  await expect(stripe.paymentIntents.create({ ...charging, customer: other.id })).rejects.toMatchObject({ statusCode: 400 });
  await expect(stripe.paymentIntents.create(charging)).rejects.toMatchObject({ statusCode: 400 });
  await expect(stripe.paymentMethods.attach(method.id, { customer: other.id })).rejects.toThrow('already been attached');
  expect((await stripe.paymentMethods.detach(method.id)).customer).toBeNull();
  await expect(stripe.paymentIntents.create({ ...charging, customer: mine.id })).rejects.toThrow('may not be used again');
  await expect(stripe.paymentMethods.detach(method.id)).rejects.toThrow('detachment is impossible');
  expect((await stripe.paymentMethods.list({ customer: mine.id })).data).toEqual([]);
  const single = await stripe.paymentIntents.create({ ...price, payment_method: 'pm_card_visa', confirm: true });
  const again = stripe.paymentIntents.create({ ...price, payment_method: String(single.payment_method), confirm: true });
  await expect(again).rejects.toThrow('may not be used again');
  expect(await events()).toEqual(expect.arrayContaining(['payment_method.attached', 'payment_method.detached']));
});

test('a customer can be changed, found by e-mail and deleted with the cards', async () => {
  const { stripe } = await sandbox();
  const { id } = await stripe.customers.create({ email: 'mere@example.org', metadata: { user: '1', old: 'x' } });
  await stripe.paymentMethods.attach('pm_card_visa', { customer: id });
  await stripe.customers.update(id, { name: 'Mere Kingi', metadata: { old: '' } });
  const { data } = await stripe.customers.list({ email: 'mere@example.org' });
  expect(data).toMatchObject([{ id, name: 'Mere Kingi', email: 'mere@example.org', metadata: { user: '1' } }]);
  expect(data[0]?.metadata).not.toHaveProperty('old');
  await stripe.customers.del(id);
  expect(await stripe.customers.retrieve(id)).toMatchObject({ id, deleted: true });
  await expect(stripe.setupIntents.create({ customer: id })).rejects.toMatchObject({ code: 'resource_missing' });
});

test('4000 0025 0000 3155 pays without its owner once it was set up, and not before; with them it always asks', async () => {
  const { stripe, confirm, browser } = await sandbox();
  const customer = await stripe.customers.create();
  const attached = await stripe.paymentMethods.attach('pm_card_authenticationRequiredOnSetup', { customer: customer.id });
  const charging = { ...price, customer: customer.id, confirm: true };
  const alone = (payment_method: string) => stripe.paymentIntents.create({ ...charging, payment_method, off_session: true });
  await expect(alone(attached.id)).rejects.toMatchObject({ code: 'authentication_required' });

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

test('a card that was set up can still want its owner, and can still lack the money', async () => {
  const { stripe, confirm, browser } = await sandbox();
  const customer = await stripe.customers.create();
  const save = async (number: string) => {
    const setup = await stripe.setupIntents.create({ customer: customer.id });
    const { body } = await confirm(setup, card(number));
    await browser('/sandbox/authenticate', { client_secret: setup.client_secret ?? '', outcome: 'success' });
    return { ...price, customer: customer.id, payment_method: body.payment_method, confirm: true };
  };
  const asking = await save('4000002760003184');
  await expect(stripe.paymentIntents.create({ ...asking, off_session: true })).rejects.toMatchObject({ code: 'authentication_required' });
  const poor = await stripe.paymentIntents.create(await save('4000008260003178'));
  expect(poor.status).toBe('requires_action');
  await browser('/sandbox/authenticate', { client_secret: poor.client_secret ?? '', outcome: 'success' });
  expect(await stripe.paymentIntents.retrieve(poor.id)).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'card_declined', decline_code: 'insufficient_funds' },
  });
});

test('a saved card takes a new date from the product, and from the networks by itself', async () => {
  const { stripe, control, eventsOf } = await sandbox();
  const customer = await stripe.customers.create();
  const loose = await stripe.paymentMethods.create({ type: 'card', card: { number: '4242424242424242', exp_month: 1, exp_year: 2040 } });
  await expect(stripe.paymentMethods.update(loose.id, { metadata: { a: '1' } })).rejects.toThrow('save this PaymentMethod to a customer');
  const { id } = await stripe.paymentMethods.attach(loose.id, { customer: customer.id });
  const asked = await eventsOf(() => stripe.paymentMethods.update(id, { card: { exp_year: 2041 }, allow_redisplay: 'always' }));
  expect(asked).toMatchObject([{ type: 'payment_method.updated', data: { object: { id, card: { exp_month: 1, exp_year: 2041 } } } }]);
  await expect(stripe.paymentMethods.update(id, { card: { exp_month: 13 } })).rejects.toMatchObject({ code: 'invalid_expiry_month' });
  const renewed = await eventsOf(() => control.renewCard(id, { exp_month: 7, exp_year: 2045, last4: '1881' }));
  expect(renewed.map(({ type }) => type)).toEqual(['payment_method.automatically_updated']);
  expect(await stripe.paymentMethods.retrieve(id)).toMatchObject({
    allow_redisplay: 'always',
    card: { exp_month: 7, exp_year: 2045, last4: '1881' },
    customer: customer.id,
  });
});
