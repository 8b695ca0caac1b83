import type Stripe from 'stripe';
import type { BalanceTransaction } from '../state/objects.ts';
import { newId, unixNow } from '../state/store.ts';
import type { World } from '../world.ts';

type Movement = { amount: number; fee?: number; currency: string; source: string; type: Stripe.BalanceTransaction.Type; category: string };

const twoDays = 2 * 24 * 3600;

/** What came to the account's balance, or, below zero, left it. */
export function moveBalance({ store }: World, { amount, fee = 0, currency, source, type, category }: Movement): BalanceTransaction {
  const made: BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: unixNow() + twoDays,
    balance_type: 'payments',
    created: unixNow(),
    currency,
    description: null,
    exchange_rate: null,
    fee,
    fee_details: fee === 0 ? [] : [{ amount: fee, application: null, currency, description: 'Dispute fee', type: 'stripe_fee' }],
    net: amount - fee,
    reporting_category: category,
    source,
    status: 'pending',
    type,
  };
  store.save(made);
  return made;
}
