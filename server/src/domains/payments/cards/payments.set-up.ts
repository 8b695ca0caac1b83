import { declineText } from '@handwise/contract/payments/decline-words';
import type { Stripe } from 'stripe';
import { AppError } from '../../../kit/errors.ts';
import { ProviderError } from '../../../kit/outside/provider-error.ts';
import { atProvider } from '../../../kit/outside/stripe.ts';
import { type Confirmation, awaitsMeans, confirmParams, isOvertaken, onceWith, refusedMeans } from '../intents/payments.means.ts';
import type { Parts } from '../payments.parts.ts';
import { findSetup } from './payments.cards.ts';

const states = { succeeded: 'done', requires_action: 'requires_action', processing: 'processing' } as const;

/**
 * Gives a set-up of one's own its card, or says how it stands. Throws `payment_not_found`, `payment_incomplete` for one that is over, `card_declined`,
 * and `card_not_found` where these means are used up.
 */
export async function confirmSetup(parts: Parts, userId: string, setupIntentId: string, by: Confirmation) {
  const open = await findSetup(parts, userId, setupIntentId);
  const intent = awaitsMeans(open.status) ? await confirm(parts, userId, open.id, by) : open;
  const status = Object.entries(states).find(([name]) => name === intent.status)?.[1];
  if (!status) throw new AppError('payment_incomplete');
  return { status, clientSecret: status === 'requires_action' ? intent.client_secret : null, setupIntentId };
}

async function confirm(parts: Parts, userId: string, id: string, by: Confirmation): Promise<Stripe.SetupIntent> {
  try {
    return await atProvider(parts.stripe.setupIntents.confirm(id, confirmParams(by), onceWith(id, by.means)));
  } catch (error) {
    if (isOvertaken(error)) return findSetup(parts, userId, id);
    if (error instanceof ProviderError && error.code === 'card_declined') {
      throw new AppError('card_declined', { message: declineText(error.log, 'save'), log: error.log });
    }
    throw refusedMeans(error);
  }
}
