import { moveBalance } from './balance.ts';
import { refused, unknownParameters } from '../calls/errors.ts';
import { metadata } from '../calls/fields.ts';
import { flag, nested, type Params, text } from '../calls/form.ts';
import { evidenceFields, newDispute } from './new-disputes.ts';
import { dullWarnings } from './fraud-warnings.ts';
import type { Charge, Dispute } from '../state/objects.ts';
import { moveRefund } from './refunds.ts';
import type { World } from '../world.ts';

export const disputeParams = 'evidence metadata submit';

/** What the provider takes for a dispute, whoever wins it: 25 dollars. */
const fee = 2500;

type Opening = { amount?: number; reason?: string; inquiry?: boolean };

/** The cardholder's bank asks (an inquiry), or takes the money back at once. */
export function openDispute(world: World, paid: Charge, { amount, reason = 'fraudulent', inquiry = false }: Opening = {}): Dispute {
  const dispute = newDispute(paid, { amount: amount ?? paid.amount - paid.amount_refunded, reason, inquiry });
  world.store.save({ ...paid, disputed: true });
  world.store.save(dispute);
  dullWarnings(world, paid.id);
  world.emit('charge.dispute.created', dispute);
  return inquiry ? dispute : withdraw(world, dispute);
}

function withdraw(world: World, dispute: Dispute): Dispute {
  const { amount, currency, charge } = dispute;
  const moved = moveBalance(world, { amount: -amount, fee, currency, source: dispute.id, type: 'adjustment', category: 'dispute' });
  dispute.balance_transactions.push(moved);
  dispute.is_charge_refundable = false;
  world.store.save(dispute);
  world.emit('charge.dispute.funds_withdrawn', dispute);
  for (const refund of world.store.list('refund', { where: { charge, status: 'pending' }, limit: 100 }).data) {
    moveRefund(world, refund.id, 'failed', 'charge_for_pending_refund_disputed');
  }
  return dispute;
}

/** Takes evidence, which is sent to the bank unless `submit` is false. */
export function updateDispute(world: World, params: Params, id: string): Dispute {
  const dispute = world.store.find('dispute', id);
  const evidence = nested(params, 'evidence');
  for (const field of Object.keys(evidence)) {
    if (!evidenceFields.some((one) => one === field)) {
      throw unknownParameters([`evidence[${field}]`]);
    }
    if (!isOpen(dispute)) throw refused('This dispute is already closed.');
    Object.assign(dispute.evidence, { [field]: text(evidence, field) });
  }
  dispute.metadata = metadata(params, dispute.metadata);
  dispute.evidence_details.has_evidence = Object.values(dispute.evidence).some((value) => typeof value === 'string');
  if (dispute.evidence_details.has_evidence && 'evidence' in params && flag(params, 'submit') !== false) {
    dispute.evidence_details.submission_count += 1;
    dispute.evidence_details.submission_method = 'manual';
    dispute.status = isInquiry(dispute) ? 'warning_under_review' : 'under_review';
    world.store.later(id, world.processingMs);
  }
  return changed(world, dispute);
}

/** Gives in: the dispute is lost. */
export function closeDispute(world: World, _params: Params, id: string): Dispute {
  const { status } = world.store.find('dispute', id);
  if (status !== 'needs_response' && status !== 'warning_needs_response') throw refused('This dispute is already closed.');
  return endDispute(world, id, status === 'needs_response' ? 'lost' : 'warning_closed');
}

/** What the words of the evidence bring about, as the provider's testing does. Any other words leave it under review. */
export function settleDispute(world: World, id: string) {
  const dispute = world.store.find('dispute', id);
  world.store.done(id);
  const words = dispute.evidence.uncategorized_text;
  if (words === 'escalate_inquiry_evidence' && isInquiry(dispute)) escalateInquiry(world, id);
  if (words !== 'winning_evidence' && words !== 'losing_evidence') return;
  endDispute(world, id, isInquiry(dispute) ? 'warning_closed' : words === 'winning_evidence' ? 'won' : 'lost');
}

/** The bank that only asked takes the money back. */
export function escalateInquiry(world: World, id: string): Dispute {
  const dispute = world.store.find('dispute', id);
  if (!isOpen(dispute) || !isInquiry(dispute)) throw refused(`Only an open inquiry escalates: ${id} is ${dispute.status}.`);
  dispute.status = 'needs_response';
  if (dispute.payment_method_details?.card) dispute.payment_method_details.card.case_type = 'chargeback';
  changed(world, dispute);
  return withdraw(world, dispute);
}

export type Ending = 'won' | 'lost' | 'warning_closed';

/** What the bank decides. A dispute won brings the money back. */
export function endDispute(world: World, id: string, ending: Ending): Dispute {
  const dispute = world.store.find('dispute', id);
  if (!isOpen(dispute)) throw refused(`Dispute ${id} has ended already: it is ${dispute.status}.`);
  if (isInquiry(dispute) !== (ending === 'warning_closed')) throw refused(`A dispute that is ${dispute.status} does not become ${ending}.`);
  world.store.done(id);
  dispute.status = ending;
  if (ending === 'won') {
    const { amount, currency } = dispute;
    const back = moveBalance(world, { amount, currency, source: id, type: 'adjustment', category: 'dispute_reversal' });
    dispute.balance_transactions.push(back);
    dispute.is_charge_refundable = true;
  }
  changed(world, dispute);
  world.emit('charge.dispute.closed', dispute);
  if (ending === 'won') world.emit('charge.dispute.funds_reinstated', dispute);
  return dispute;
}

function changed({ store, emit }: World, dispute: Dispute): Dispute {
  store.save(dispute);
  emit('charge.dispute.updated', dispute);
  return dispute;
}

const isOpen = ({ status }: Dispute) => status.endsWith('needs_response') || status.endsWith('under_review');
const isInquiry = ({ status }: Dispute) => status.startsWith('warning_');
