import { settleDispute } from './money/disputes.ts';
import { settlePayment } from './intents/payment-intents.ts';
import { settleRefund } from './money/refunds.ts';
import type { World } from './world.ts';

/** Ends what was left open for its time: payments that process, refunds that are pending, evidence at the bank. */
export function settleDue(world: World, upTo = Date.now()) {
  for (const id of world.store.due(upTo)) {
    if (id.startsWith('pi_')) settlePayment(world, id);
    if (id.startsWith('re_')) settleRefund(world, id);
    if (id.startsWith('du_')) settleDispute(world, id);
  }
}
