import type { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { sandbox } from './try-stripe.ts';

const typesOf = (events: Stripe.Event[]) => events.map(({ type }) => type);
const opened = ['charge.dispute.created', 'charge.dispute.funds_withdrawn'];

test.each([
  ['pm_card_createDispute', 'fraudulent'],
  ['pm_card_createDisputeProductNotReceived', 'product_not_received'],
])('a payment with %s is disputed at once as %s and not refundable', async (method, reason) => {
  const { stripe, pay, charge, eventsOf } = await sandbox();
  const events = await eventsOf(() => pay(method));
  expect(typesOf(events)).toEqual(['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded', ...opened]);
  const [intent] = (await stripe.paymentIntents.list()).data;
  const [dispute] = (await stripe.disputes.list({ payment_intent: intent?.id ?? '' })).data;
  expect(dispute).toMatchObject({
    status: 'needs_response',
    reason,
    amount: 1500,
    charge: intent?.latest_charge,
    is_charge_refundable: false,
  });
  expect(await charge({ latest_charge: intent?.latest_charge ?? null })).toMatchObject({ disputed: true });
  await expect(stripe.refunds.create({ payment_intent: intent?.id ?? '' })).rejects.toMatchObject({ code: 'charge_disputed' });
  expect(await stripe.disputes.retrieve(dispute?.id ?? '')).toEqual(dispute);
});

test('makes a payment refundable again when its dispute is won, and changes no ended dispute', async () => {
  const { stripe, pay, eventsOf, control } = await sandbox();
  const { id: won } = control.openDispute((await pay()).id);
  const ending = await eventsOf(() => control.endDispute(won, 'won'));
  expect(typesOf(ending)).toEqual(['charge.dispute.updated', 'charge.dispute.closed', 'charge.dispute.funds_reinstated']);
  expect(await stripe.disputes.retrieve(won)).toMatchObject({ status: 'won', is_charge_refundable: true });
  const { id: lost } = control.openDispute((await pay()).id);
  expect(control.endDispute(lost, 'lost')).toMatchObject({ status: 'lost', is_charge_refundable: false });
  expect(() => control.endDispute(lost, 'won')).toThrow('has ended already');
});

test('leaves a payment with an inquiry refundable, and closes or escalates the inquiry', async () => {
  const { stripe, pay, eventsOf, control } = await sandbox();
  const events = await eventsOf(() => pay('pm_card_createDisputeInquiry'));
  expect(typesOf(events).filter((type) => type.startsWith('charge.dispute'))).toEqual(['charge.dispute.created']);
  const [inquiry] = (await stripe.disputes.list()).data;
  expect(inquiry).toMatchObject({ status: 'warning_needs_response', is_charge_refundable: true });
  await stripe.refunds.create({ charge: String(inquiry?.charge), amount: 100 });
  expect(() => control.endDispute(inquiry?.id ?? '', 'won')).toThrow('does not become won');
  expect(control.endDispute(inquiry?.id ?? '', 'warning_closed')).toMatchObject({ status: 'warning_closed' });

  const other = control.openDispute((await pay()).id, { inquiry: true, amount: 700 });
  expect(typesOf(await eventsOf(() => control.escalateInquiry(other.id)))).toEqual([
    'charge.dispute.updated',
    'charge.dispute.funds_withdrawn',
  ]);
  expect(await stripe.disputes.retrieve(other.id)).toMatchObject({
    status: 'needs_response',
    amount: 700,
    payment_method_details: { card: { case_type: 'chargeback' } },
  });
});

test('fails the pending refunds of a disputed charge', async () => {
  const { stripe, pay, control } = await sandbox();
  const intent = await pay('pm_card_pendingRefund');
  const refund = await stripe.refunds.create({ payment_intent: intent.id, amount: 500 });
  control.openDispute(intent.id);
  expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({
    status: 'failed',
    failure_reason: 'charge_for_pending_refund_disputed',
  });
});

test('the fraud warning of 4000 0000 0000 5423 is actionable until the payment is refunded in full or disputed', async () => {
  const { stripe, pay, eventsOf, control } = await sandbox();
  const events = await eventsOf(() => pay('pm_card_createIssuerFraudRecord'));
  expect(typesOf(events)).toContain('radar.early_fraud_warning.created');
  const [warning] = (await stripe.radar.earlyFraudWarnings.list()).data;
  expect(warning).toMatchObject({ object: 'radar.early_fraud_warning', actionable: true, fraud_type: 'made_with_stolen_card' });
  await stripe.refunds.create({ charge: String(warning?.charge), amount: 100 });
  expect(await stripe.radar.earlyFraudWarnings.retrieve(warning?.id ?? '')).toEqual(warning);
  const refunded = await eventsOf(() => stripe.refunds.create({ charge: String(warning?.charge) }));
  expect(typesOf(refunded)).toContain('radar.early_fraud_warning.updated');
  expect(await stripe.radar.earlyFraudWarnings.retrieve(warning?.id ?? '')).toMatchObject({ actionable: false });

  const other = await pay();
  const { id } = control.warn(other.id, 'misc');
  control.openDispute(other.id);
  expect(await stripe.radar.earlyFraudWarnings.list({ payment_intent: other.id })).toMatchObject({ data: [{ id, actionable: false }] });
});
