import { markets } from '@handwise/contract/markets';
import { getChargeTime } from '@handwise/contract/plans/renewal';
import { plans } from '@handwise/contract/plans/table';
import type { AppContext } from '@handwise/server/composition/app-context';
import { openRefundHooks } from '@handwise/server/composition/hooks';
import {
  findOpenPurchase,
  insertPayment,
  connectPayments,
  collectPayment,
  confirmOwnIntent,
  getPayable,
} from '@handwise/server/domains/payments/payments.service';
import { toFulfilment, getSubscription } from '@handwise/server/domains/plans/plans.service';
import type { Env } from '@handwise/server/env';
import type { StripeSettings } from '@handwise/server/kit/stripe';
import { type DemoClock, withDemoContext } from './demo-context.ts';

/** Confirms the payment of a client secret with a test card, as the browser does, and optionally saves the card. */
export type SubmitCard = (secret: string, name: string, isSaved: boolean) => Promise<unknown>;

const email = 'seller@example.com';

/**
 * Creates the payments for the demo seller's subscriptions at the provider, one a month, and saves her card with the first. An interrupted run
 * continues at the next start.
 */
export const fillDemoPayments = (env: Env, databaseUrl: string, stripe: StripeSettings, submitCard: SubmitCard): Promise<void> =>
  withDemoContext(env, databaseUrl, async (context, clock) => {
    const { db } = context;
    const granted = await db
      .selectFrom('subscriptions')
      .innerJoin('users', 'users.id', 'subscriptions.user_id')
      .select(['subscriptions.id', 'users.id as user_id', 'users.full_name'])
      .where('users.email', '=', email)
      .where('subscriptions.source', '=', 'grant')
      .orderBy('subscriptions.starts_at')
      .execute();
    for (const { id, user_id, full_name } of granted) {
      const saved = await db.selectFrom('cards').select('id').where('user_id', '=', user_id).executeTakeFirst();
      await pay(context, clock, { stripe, subscriptionId: id, submitCard: (secret) => submitCard(secret, full_name, !saved) });
    }
    await backdateRows(context);
    await switchOnRenewal(context);
  });

/** Switches on the renewal of the seller's running plan, as on the day she paid for it. */
async function switchOnRenewal({ db }: AppContext): Promise<void> {
  const running = await db
    .selectFrom('subscriptions')
    .innerJoin('users', 'users.id', 'subscriptions.user_id')
    .innerJoin('cards', 'cards.user_id', 'users.id')
    .innerJoin('plans', 'plans.id', 'plan_id')
    .select(['subscriptions.id', 'users.id as user_id', 'cards.id as card_id', 'plans.price_minor', 'starts_at', 'ends_at'])
    .where('users.email', '=', email)
    .orderBy('ends_at', 'desc')
    .executeTakeFirst();
  const chargeAt = running && getChargeTime(running.ends_at, running.starts_at, false);
  if (!chargeAt) return;
  const { id, user_id, card_id, price_minor, starts_at } = running;
  await db
    .insertInto('renewals')
    .values({ subscription_id: id, user_id, card_id, amount_minor: price_minor, status: 'on', agreed_at: starts_at, charge_at: chargeAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function pay(
  context: AppContext,
  clock: DemoClock,
  options: { stripe: StripeSettings; subscriptionId: string; submitCard: (secret: string) => Promise<unknown> },
): Promise<void> {
  const { db } = context;
  const { stripe, subscriptionId, submitCard } = options;
  const subscription = await getSubscription(db, subscriptionId);
  clock.time = subscription.starts_at;
  const { user_id, plan_id, plan_type, country } = subscription;
  const payments = connectPayments({
    context,
    stripe,
    refundHooks: openRefundHooks(context),
    onCardSaved: async () => {},
    onPaid: async (tx, payment) => {
      await tx.updateTable('subscriptions').set({ source: 'payment', payment_id: payment.id }).where('id', '=', subscriptionId).execute();
      return toFulfilment(subscription, markets[country].timeZone);
    },
  });
  const terms = {
    user_id,
    purpose: 'listing',
    plan_id,
    country,
    listing_id: null,
    replaces_id: null,
    card_id: null,
    amount_minor: plans[plan_type].priceMinor,
    currency: markets[country].currency,
  } as const;
  const begin = () =>
    db.transaction().execute(async (tx) => ({ open: (await findOpenPurchase(tx, user_id)) ?? (await insertPayment(tx, terms)) }));
  const { clientSecret, paymentIntentId } = await collectPayment(payments, terms, begin, (payment) => getPayable(payments, payment));
  if (!clientSecret) throw new Error('the payment of the demo seller cannot be paid');
  await submitCard(clientSecret);
  await confirmOwnIntent(payments, user_id, paymentIntentId);
}

/** Sets columns that default to the database's clock to the times of the payments. */
async function backdateRows({ db }: AppContext): Promise<void> {
  const ofSeller = db
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .select(['payments.id', 'succeeded_at', 'user_id'])
    .where('users.email', '=', email)
    .where('succeeded_at', 'is not', null);
  for (const { id, succeeded_at, user_id } of await ofSeller.orderBy('succeeded_at', 'desc').execute()) {
    if (!succeeded_at) continue;
    await db.updateTable('payments').set({ created_at: succeeded_at }).where('id', '=', id).execute();
    await db.updateTable('receipts').set({ issued_at: succeeded_at }).where('payment_id', '=', id).execute();
    await db.updateTable('cards').set({ created_at: succeeded_at }).where('user_id', '=', user_id).execute();
  }
}
