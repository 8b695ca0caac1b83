import { formerMember } from '@handwise/contract/accounts/public-name';
import { formatDate } from '@handwise/contract/dates';
import { markets } from '@handwise/contract/markets';
import { plans } from '@handwise/contract/plans/table';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { fileKey } from '../../kit/files/file-store.ts';
import { detachFiles } from '../../kit/files/stored-files.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { findContact } from '../accounts/accounts.service.ts';
import { getTimeZonesOfSubscriptions, isLive, isOpen, transitionListings } from '../listings/listings.service.ts';
import type { Payment } from '../payments/payments.service.ts';
import * as planService from '../plans/plans.service.ts';
import { deleteChecks, deleteLicenceChecks } from '../registers/registers.service.ts';
import { planReturnedEmail, renewalReturnedEmail } from './selling.emails.ts';
import { moveListings } from './selling.own-listing.ts';
import { lockListingsOfSubscription, setSubscriptionEnd } from './selling.queries.ts';

const lockListingsOfSeller = (tx: Tx, sellerId: string) =>
  tx
    .selectFrom('listings')
    .select(['id', 'status', 'pictures', 'logo'])
    .where('seller_id', '=', sellerId)
    .orderBy('id')
    .forUpdate()
    .execute();

/**
 * Ends the listings of a deleted account. Titles, places and ratings stay for users who saved or reviewed them; texts, pictures and
 * addresses are deleted. Hidden listings stay hidden.
 */
export async function endListings(tx: Tx, sellerId: string, ended: readonly { id: string; ends_at: Date }[]): Promise<void> {
  const listings = await lockListingsOfSeller(tx, sellerId);
  await deleteChecks(
    tx,
    listings.map(({ id }) => id),
  );
  await deleteLicenceChecks(
    tx,
    listings.map(({ id }) => id),
  );
  await transitionListings(tx, listings, 'expired', 'owner');
  await tx
    .updateTable('listings')
    .set({
      pictures: '[]',
      logo: '',
      website: '',
      business_email: '',
      business_phone: '',
      business_info: '',
      business_title: formerMember,
      service_description: '',
      services: [],
      licence_register: null,
      licence_number: null,
      licence_name: null,
      licence_class: null,
      licence_exemption: null,
      licence_below_limit: false,
      licence_limit_minor: null,
      licence_hidden: false,
      business_number: null,
      gst_number: null,
      gst_registered: false,
      verified: false,
    })
    .where('seller_id', '=', sellerId)
    .execute();
  // Includes hidden listings, so that they are over if shown again.
  for (const { id, ends_at: endsAt } of ended) await setSubscriptionEnd(tx, id, endsAt);
  const logos = listings.flatMap(({ logo }) => fileKey(logo) ?? []);
  await detachFiles(tx, [...listings.flatMap(({ pictures }) => pictures.map(({ key }) => key)), ...logos]);
}

/** The listings of a renewal whose money goes back stay under the plan that it renewed, while that runs. False if it does not. */
async function returnToRenewedPlan(
  context: Context,
  tx: Tx,
  { before, payment, reason, listings }: { before: planService.SubscriptionRow; payment: Payment; reason: string; listings: number },
): Promise<boolean> {
  const renewed = before.follows_id === null ? undefined : await planService.lockSubscription(tx, before.follows_id);
  if (!renewed || renewed.returned_at || !planService.isRunning(renewed, context.clock.now())) return false;
  if (renewed.slots < renewed.slots_used + listings) return false;
  await moveListings(tx, before, renewed);
  const owner = await findContact(tx, payment.user_id);
  if (owner.deleted_at) return true;
  const timeZone = (await getTimeZonesOfSubscriptions(tx, [renewed.id])).get(renewed.id) ?? markets[renewed.country].timeZone;
  const reader = { to: owner.email, name: owner.full_name, appUrl: context.appUrl };
  const planName = plans[renewed.plan_type].name;
  await context.jobs.send(tx, sendMail, renewalReturnedEmail(reader, { planName, reason, endsOn: formatDate(renewed.ends_at, timeZone) }));
  return true;
}

/**
 * Ends a refunded subscription and its listings, and emails the owner. One that had ended or was replaced before changes only in the
 * ledger.
 */
export async function endReturnedPlan(context: Context, tx: Tx, payment: Payment, reason: string): Promise<void> {
  const now = context.clock.now();
  const before = await planService.findSubscriptionOfPayment(tx, payment.id);
  const ended = before && (await planService.endReturnedSubscription(tx, payment.id, now));
  if (!before || !ended) return;
  await planService.endRenewals(tx, [ended.id, ...(before.followed_by === null ? [] : [before.followed_by])]);
  if (!planService.isRunning(before, now)) return;
  const listings = await lockListingsOfSubscription(tx, ended.id);
  if (await returnToRenewedPlan(context, tx, { before, payment, reason, listings: listings.length })) return;
  await transitionListings(tx, listings, 'expired', 'owner');
  // Includes hidden listings, so that they are over if shown again.
  await setSubscriptionEnd(tx, ended.id, ended.ends_at);
  const owner = await findContact(tx, payment.user_id);
  if (owner.deleted_at) return;
  const live = listings.filter(isLive).map((one) => ({ id: one.id, title: one.service_title, isOpen: isOpen(one) }));
  const reader = { to: owner.email, name: owner.full_name, appUrl: context.appUrl };
  await context.jobs.send(tx, sendMail, planReturnedEmail(reader, { planName: plans[before.plan_type].name, listings: live, reason }));
}
