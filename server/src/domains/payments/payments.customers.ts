import { callProvider, findAtProvider } from '../../kit/integrations/stripe.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { findContact } from '../accounts/accounts.service.ts';
import {
  deleteKnownCustomer,
  findCustomer,
  findUserByCustomer,
  insertCustomer,
  removeAllCards,
  setCustomerAccount,
} from './payments.cards.queries.ts';
import type { Payments } from './payments.context.ts';
import { cardsForgottenEmail } from './payments.emails.ts';
import { type ProviderAccount, isOfAccount } from './payments.provider-account.ts';

/** Returns the user's customer at the provider, and creates one if there is none or our keys now belong to another account. */
export async function ensureCustomer(deps: Payments, userId: string): Promise<string> {
  const { db } = deps.context;
  const here = await deps.account.load();
  const known = await findCustomer(db, userId);
  if (known && (await isCustomerOfAccount(deps, userId, known, here))) return known.customer_id;
  if (known) await forgetCustomer(deps, userId, known.customer_id);
  const user = await findContact(db, userId);
  const { id } = await callProvider(deps.stripe.customers.create({ email: user.email, name: user.full_name, metadata: { userId } }));
  await insertCustomer(db, userId, id, here);
  return (await findCustomer(db, userId))?.customer_id ?? id;
}

type CustomerRow = NonNullable<Awaited<ReturnType<typeof findCustomer>>>;

// The account of customers that were created before it was recorded is known to the provider only.
async function isCustomerOfAccount(deps: Payments, userId: string, row: CustomerRow, here: ProviderAccount): Promise<boolean> {
  if (row.livemode !== null) return isOfAccount(row, here);
  if (await isCustomerDeleted(deps, row.customer_id)) return false;
  await setCustomerAccount(deps.context.db, userId, here);
  return true;
}

async function isCustomerDeleted({ stripe }: Payments, customerId: string): Promise<boolean> {
  const customer = await findAtProvider(stripe.customers.retrieve(customerId));
  return !customer || customer.deleted === true;
}

/**
 * Deletes a customer that our keys do not find, with its cards, which can no longer be charged, and emails their owner. The next purchase
 * creates a new customer.
 */
export async function forgetCustomer({ context }: Payments, userId: string, customerId: string): Promise<void> {
  const { db, clock, jobs, appUrl } = context;
  await db.transaction().execute(async (tx) => {
    if (!(await deleteKnownCustomer(tx, userId, customerId))) return;
    const cards = await removeAllCards(tx, userId, clock.now());
    if (cards.length === 0) return;
    const user = await findContact(tx, userId);
    await jobs.send(tx, sendMail, cardsForgottenEmail({ to: user.email, name: user.full_name, cards, appUrl }));
  });
}

/** Relinks a customer that the database lost, for its cards, if the provider still knows it; a user who has another one keeps that. */
export async function adoptCustomer(deps: Payments, userId: string, customerId: string): Promise<void> {
  if (!(await isCustomerDeleted(deps, customerId))) await insertCustomer(deps.context.db, userId, customerId, deps.account.current());
}

/** Deletes one of our customers after the provider confirms that it is gone. */
export async function syncCustomer(deps: Payments, customerId: string): Promise<void> {
  const userId = await findUserByCustomer(deps.context.db, customerId);
  if (userId !== undefined && (await isCustomerDeleted(deps, customerId))) await forgetCustomer(deps, userId, customerId);
}
