import { sendMail } from '../../../kit/mail/mail.ts';
import { isMissingAtProvider } from '../../../kit/outside/provider-error.ts';
import { atProvider } from '../../../kit/outside/stripe.ts';
import { findContact } from '../../accounts/accounts.service.ts';
import type { Parts } from '../payments.parts.ts';
import { type Account, belongsTo } from './payments.account.ts';
import * as queries from './payments.customer-queries.ts';
import { cardsForgottenMail } from './payments.customer-mails.ts';

/** The provider's customer for a user: the one that is known, or a new one, also where our keys have become those of another account. */
export async function customerOf(parts: Parts, userId: string): Promise<string> {
  const { db } = parts.context;
  const here = await parts.account.ask();
  const known = await queries.findCustomerRow(db, userId);
  if (known && (await isHere(parts, userId, known, here))) return known.customer_id;
  if (known) await forgetCustomerOf(parts, userId, known.customer_id);
  const user = await findContact(db, userId);
  const { id } = await atProvider(parts.stripe.customers.create({ email: user.email, name: user.full_name, metadata: { userId } }));
  await queries.insertCustomer(db, userId, id, here);
  return (await queries.findCustomerRow(db, userId))?.customer_id ?? id;
}

type CustomerRow = NonNullable<Awaited<ReturnType<typeof queries.findCustomerRow>>>;

// Of customers from before their account was kept, the provider alone knows.
async function isHere(parts: Parts, userId: string, row: CustomerRow, here: Account): Promise<boolean> {
  if (row.livemode !== null) return belongsTo(row, here);
  if (await isGone(parts, row.customer_id)) return false;
  await queries.setBelonging(parts.context.db, userId, here);
  return true;
}

async function isGone({ stripe }: Parts, customerId: string): Promise<boolean> {
  try {
    return (await atProvider(stripe.customers.retrieve(customerId))).deleted === true;
  } catch (error) {
    if (isMissingAtProvider(error)) return true;
    throw error;
  }
}

/**
 * Forgets a customer that our keys do not find, and the cards that it had: they could not be charged. Whoever saved them is told, so that
 * nobody looks for them in vain. The next purchase makes a new customer.
 */
export async function forgetCustomerOf({ context }: Parts, userId: string, customerId: string): Promise<void> {
  const { db, clock, jobs, appUrl } = context;
  await db.transaction().execute(async (tx) => {
    if (!(await queries.deleteCustomerRow(tx, userId, customerId))) return;
    const cards = await queries.removeCards(tx, userId, clock.now());
    if (cards.length === 0) return;
    const user = await findContact(tx, userId);
    await jobs.send(tx, sendMail, cardsForgottenMail({ to: user.email, name: user.full_name, cards, appUrl }));
  });
}

/** Takes a customer that was lost here back, for the cards that it has: where its user has no other one, and the provider still knows it. */
export async function adoptCustomer(parts: Parts, userId: string, customerId: string): Promise<void> {
  if (await queries.findCustomerRow(parts.context.db, userId)) return;
  if (!(await isGone(parts, customerId))) await queries.insertCustomer(parts.context.db, userId, customerId, parts.account.known());
}

/** A customer was deleted at the provider, as a message says: forgotten where that is true and it is one of ours. */
export async function hearOfCustomer(parts: Parts, customerId: string): Promise<void> {
  const userId = await queries.findUserOfCustomer(parts.context.db, customerId);
  if (userId !== undefined && (await isGone(parts, customerId))) await forgetCustomerOf(parts, userId, customerId);
}
