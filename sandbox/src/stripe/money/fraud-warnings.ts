import type { Charge, EarlyFraudWarning } from '../state/objects.ts';
import { newId, unixNow } from '../state/store.ts';
import type { World } from '../world.ts';

/** The bank says that a payment may be fraud, before anybody disputes it. */
export function warn({ store, emit }: World, { id, payment_intent }: Charge, fraudType = 'made_with_stolen_card'): EarlyFraudWarning {
  const warning: EarlyFraudWarning = {
    id: newId('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: true,
    charge: id,
    created: unixNow(),
    fraud_type: fraudType,
    livemode: false,
    ...(payment_intent !== null && { payment_intent }),
  };
  store.save(warning);
  emit('radar.early_fraud_warning.created', warning);
  return warning;
}

/** Nothing is left to do about the warnings of a charge that was refunded in full or disputed. */
export function dullWarnings({ store, emit }: World, charge: string) {
  for (const warning of store.list('radar.early_fraud_warning', { where: { charge }, limit: 100 }).data) {
    if (!warning.actionable) continue;
    const dull = { ...warning, actionable: false };
    store.save(dull);
    emit('radar.early_fraud_warning.updated', dull);
  }
}
