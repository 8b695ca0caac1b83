import type { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { sandbox } from '../try-stripe.ts';

const typesOf = (events: Stripe.Event[]) => events.map(({ type }) => type);
const opened = ['charge.dispute.created', 'charge.dispute.funds_withdrawn'];

test.each([
  ['pm_card_createDispute', 'fraudulent'],
  ['pm_card_createDisputeProductNotReceived', 'product_not_received'],
])('a payment with %s is disputed at once as %s, and the money is gone', async (method, reason) => {
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
    balance_transactions: [{ amount: -1500, fee: 2500, net: -4000, type: 'adjustment' }],
  });
  expect(await charge({ latest_charge: intent?.latest_charge ?? null })).toMatchObject({ disputed: true });
  await expect(stripe.refunds.create({ payment_intent: intent?.id ?? '' })).rejects.toMatchObject({ code: 'charge_disputed' });
  expect(await stripe.disputes.retrieve(dispute?.id ?? '')).toEqual(dispute);
});

test('evidence wins or loses a dispute some time later, by its words', async () => {
  const { stripe, pay, eventsOf, control } = await sandbox();
  const disputed = async () => control.openDispute((await pay()).id).id;
  const won = await disputed();
  const sent = await eventsOf(() => stripe.disputes.update(won, { evidence: { uncategorized_text: 'winning_evidence' } }));
  expect(typesOf(sent)).toEqual(['charge.dispute.updated']);
  expect(await stripe.disputes.retrieve(won)).toMatchObject({
    status: 'under_review',
    evidence: { uncategorized_text: 'winning_evidence' },
    evidence_details: { has_evidence: true, submission_count: 1 },
  });
  const ending = await eventsOf(() => control.settle());
  expect(typesOf(ending)).toEqual(['charge.dispute.updated', 'charge.dispute.closed', 'charge.dispute.funds_reinstated']);
  expect((await stripe.disputes.retrieve(won)).balance_transactions.map(({ amount }) => amount)).toEqual([-1500, 1500]);
  expect(await stripe.disputes.retrieve(won)).toMatchObject({ status: 'won', is_charge_refundable: true });

  const lost = await disputed();
  await stripe.disputes.update(lost, { evidence: { uncategorized_text: 'losing_evidence' } });
  expect(typesOf(await eventsOf(() => control.settle()))).toEqual(['charge.dispute.updated', 'charge.dispute.closed']);
  expect(await stripe.disputes.retrieve(lost)).toMatchObject({ status: 'lost', is_charge_refundable: false });

  const unheard = await disputed();
  await stripe.disputes.update(unheard, { evidence: { uncategorized_text: 'It was delivered.' } });
  control.settle();
  expect(await stripe.disputes.retrieve(unheard)).toMatchObject({ status: 'under_review' });

  const draft = await disputed();
  await stripe.disputes.update(draft, { evidence: { product_description: 'A listing' }, submit: false });
  expect(await stripe.disputes.retrieve(draft)).toMatchObject({ status: 'needs_response', evidence: { product_description: 'A listing' } });
  await expect(stripe.disputes.update(draft, { evidence: { invented: 'x' } as object })).rejects.toMatchObject({
    code: 'parameter_unknown',
  });
});

test('who gives in has lost, and a dispute that ended takes nothing more', async () => {
  const { stripe, pay, control } = await sandbox();
  const { id } = control.openDispute((await pay()).id);
  expect(await stripe.disputes.close(id)).toMatchObject({ status: 'lost' });
  await expect(stripe.disputes.close(id)).rejects.toMatchObject({ statusCode: 400 });
  await expect(stripe.disputes.update(id, { evidence: { uncategorized_text: 'late' } })).rejects.toMatchObject({ statusCode: 400 });
  expect(() => control.endDispute(id, 'won')).toThrow('has ended already');
});

test('an inquiry takes no money and leaves the payment refundable, closes, or becomes a dispute', async () => {
  const { stripe, pay, eventsOf, control } = await sandbox();
  const events = await eventsOf(() => pay('pm_card_createDisputeInquiry'));
  expect(typesOf(events).filter((type) => type.startsWith('charge.dispute'))).toEqual(['charge.dispute.created']);
  const [inquiry] = (await stripe.disputes.list()).data;
  expect(inquiry).toMatchObject({ status: 'warning_needs_response', balance_transactions: [], is_charge_refundable: true });
  await stripe.refunds.create({ charge: String(inquiry?.charge), amount: 100 });
  expect(() => control.endDispute(inquiry?.id ?? '', 'won')).toThrow('does not become won');
  await stripe.disputes.update(inquiry?.id ?? '', { evidence: { uncategorized_text: 'winning_evidence' } });
  expect(await stripe.disputes.retrieve(inquiry?.id ?? '')).toMatchObject({ status: 'warning_under_review' });
  control.settle();
  expect(await stripe.disputes.retrieve(inquiry?.id ?? '')).toMatchObject({ status: 'warning_closed' });

  const other = control.openDispute((await pay()).id, { inquiry: true, amount: 700 });
  await stripe.disputes.update(other.id, { evidence: { uncategorized_text: 'escalate_inquiry_evidence' } });
  expect(typesOf(await eventsOf(() => control.settle()))).toEqual(['charge.dispute.updated', 'charge.dispute.funds_withdrawn']);
  expect(await stripe.disputes.retrieve(other.id)).toMatchObject({
    status: 'needs_response',
    amount: 700,
    payment_method_details: { card: { case_type: 'chargeback' } },
  });
});

test('a dispute makes pending refunds of its charge fail', async () => {
  const { stripe, pay, control } = await sandbox();
  const intent = await pay('pm_card_pendingRefund');
  const refund = await stripe.refunds.create({ payment_intent: intent.id, amount: 500 });
  control.openDispute(intent.id);
  expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({
    status: 'failed',
    failure_reason: 'charge_for_pending_refund_disputed',
  });
});

test('a payment with 4000 0000 0000 5423 is warned of, until it is refunded whole or disputed', async () => {
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

test('another process opens, escalates and ends disputes, warns and moves refunds over HTTP, with the secret key only', async () => {
  const { stripe, pay, browser, controlOverHttp } = await sandbox();
  const control = async (name: string, fields: Record<string, string>) => (await controlOverHttp(name, fields)).body;
  const { id: payment_intent } = await pay('pm_card_pendingRefund');
  const refund = await stripe.refunds.create({ payment_intent, amount: 100 });
  expect(await control('move-refund', { refund: refund.id, status: 'succeeded' })).toMatchObject({ id: refund.id, status: 'succeeded' });
  await stripe.refunds.create({ payment_intent, amount: 100 });
  await control('settle', {});
  expect((await stripe.refunds.list()).data.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  expect(await control('warn', { payment_intent })).toMatchObject({ object: 'radar.early_fraud_warning' });
  const dispute = await control('open-dispute', { payment_intent, amount: '200', reason: 'duplicate', inquiry: 'true' });
  expect(dispute).toMatchObject({ amount: 200, reason: 'duplicate', status: 'warning_needs_response' });
  expect(await control('escalate-inquiry', { dispute: dispute.id })).toMatchObject({ status: 'needs_response' });
  expect(await control('end-dispute', { dispute: dispute.id, status: 'won' })).toMatchObject({ status: 'won' });
  expect((await browser('/sandbox/open-dispute', { payment_intent })).status).toBe(403);
});
