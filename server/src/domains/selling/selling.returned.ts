import { plans } from '@handwise/contract/plans/table';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { findContact } from '../accounts/accounts.service.ts';
import { isLive, moveAllTo } from '../listings/listings.service.ts';
import type { Payment } from '../payments/payments.service.ts';
import * as planService from '../plans/plans.service.ts';
import { returnedMail } from './selling.mails.ts';
import * as queries from './selling.queries.ts';

/**
 * All the money of a subscription went back: it ends now, its listings go off, and their owner is told why and how to go on. One that had
 * ended or was replaced before only says so in the books.
 */
export async function endReturned(context: Context, tx: Tx, payment: Payment, reason: string): Promise<void> {
  const now = context.clock.now();
  const before = await planService.findSubscriptionOfPayment(tx, payment.id);
  const ended = before && (await planService.returnSubscription(tx, payment.id, now));
  if (!before || !ended || !planService.isRunning(before, now)) return;
  const listings = await queries.lockOfSubscription(tx, ended.id);
  await moveAllTo(tx, listings, 'expired', 'owner');
  // Also of those that moderators have hidden: shown again, they are over.
  await queries.endWithSubscription(tx, ended.id, ended.ends_at);
  const owner = await findContact(tx, payment.user_id);
  if (owner.deleted_at) return;
  const live = listings.filter(isLive).map(({ id, service_title: title }) => ({ id, title }));
  const reader = { to: owner.email, name: owner.full_name, appUrl: context.appUrl };
  await context.jobs.send(tx, sendMail, returnedMail(reader, { planName: plans[before.plan_type].name, listings: live, reason }));
}
