import type { Listing } from '@handwise/contract/listings';
import type { CountryCode } from '@handwise/contract/markets';
import { timeZoneOfRegion } from '@handwise/contract/places';
import type { Plan } from '@handwise/contract/plans';
import { type listingForm, logoColors } from '@handwise/contract/selling';
import type { z } from 'zod';
import { type Tx, violatedConstraint } from '../../kit/database.ts';
import { AppError } from '../../kit/errors.ts';
import { fileUrl } from '../../kit/files.ts';
import { sendMail } from '../../kit/mail.ts';
import type { UploadedFile } from '../../kit/multipart.ts';
import type { Viewer } from '../../kit/session-guard.ts';
import { attachFiles, discardFiles } from '../../kit/stored-files.ts';
import { type Contact, lockUser } from '../accounts/accounts.service.ts';
import type { Checkout, Payment } from '../payments/payments.service.ts';
import * as payments from '../payments/payments.service.ts';
import type { SubscriptionRow } from '../plans/plans.service.ts';
import * as planService from '../plans/plans.service.ts';
import { contentOf } from './selling.content.ts';
import { liveMail } from './selling.mails.ts';
import { keysOf, refuseTooManyPhotos, storeFiles } from './selling.photos.ts';
import * as queries from './selling.queries.ts';
import { type Selling, showOwn, tell } from './selling.context.ts';

type NewListing = z.output<typeof listingForm>;
/**
 * Publishes a listing under a payment, a free slot or a free first month, once for each `submissionId`: sent again, it
 * answers with the listing that it made. What was paid stays where publishing fails, and the next attempt uses it.
 */
export async function createListing(
  selling: Selling,
  viewer: Viewer,
  market: CountryCode | null,
  form: NewListing,
  files: readonly UploadedFile[],
): Promise<Listing> {
  const { underWay, checkout } = selling;
  const key = `${viewer.id} ${form.submissionId}`;
  let submission = underWay.get(key);
  if (!submission) {
    submission = submit(selling, viewer, market, form, files).finally(() => underWay.delete(key));
    underWay.set(key, submission);
  }
  return showOwn(checkout.db, await submission, viewer);
}

async function submit(
  selling: Selling,
  viewer: Viewer,
  market: CountryCode | null,
  form: NewListing,
  files: readonly UploadedFile[],
): Promise<string> {
  const known = await findOwnSubmission(selling, viewer, form.submissionId);
  if (known) return known;
  try {
    return await publish(selling, viewer, market, form, files);
  } catch (error) {
    // The same submission may have won on another server, and have taken the very slot or payment that this one lacks.
    const won = await findOwnSubmission(selling, viewer, form.submissionId).catch(() => undefined);
    if (won) return won;
    throw error;
  }
}

async function publish(
  selling: Selling,
  viewer: Viewer,
  market: CountryCode | null,
  form: NewListing,
  files: readonly UploadedFile[],
): Promise<string> {
  const { checkout, store } = selling;
  const { db } = checkout;
  const content = contentOf(form, market);
  const plan = await planService.getPlan(db, form.servicePlan);
  const photos = files.filter((file) => file.field === 'serviceImages');
  refuseTooManyPhotos(photos.length, plan.photos);
  const payment = form.paymentId ? await paymentFor(checkout, viewer, form.paymentId, plan, content.country) : null;
  // Asked again under lock when it is written. Asked here so that nobody uploads for a refusal.
  await db
    .transaction()
    .execute(async (tx) => coverage(tx, await lockUser(tx, viewer.id), { form, plan, country: content.country, payment }));

  const stored = await storeFiles(
    selling,
    photos,
    files.find((file) => file.field === 'logo'),
    form.serviceTitle,
  );
  try {
    const id = await db.transaction().execute(async (tx) => {
      const user = await lockUser(tx, viewer.id);
      const covered = await coverage(tx, user, { form, plan, country: content.country, payment });
      const subscription = covered === 'free' ? await planService.startFreeMonth(tx, user.id, plan, content.country) : covered;
      const listing = await queries.insertListing(tx, {
        ...content,
        seller_id: user.id,
        subscription_id: subscription.id,
        subscription_ends_at: subscription.ends_at,
        plan_rank: plan.rank,
        pictures: JSON.stringify(stored.pictures),
        logo: stored.logo === null ? '' : fileUrl(stored.logo),
        logo_color: form.defaultLogoColor ?? logoColors[0],
        submission_id: form.submissionId,
        payment_id: payment?.id ?? null,
      });
      await attachFiles(tx, keysOf(stored));
      const named = {
        id: listing.id,
        title: form.serviceTitle,
        number: listing.listing_number,
        planName: plan.name,
        endsAt: subscription.ends_at,
        timeZone: timeZoneOfRegion(content.region_code, content.country),
      };
      await checkout.jobs.send(tx, sendMail, liveMail({ to: user.email, name: user.full_name, appUrl: checkout.appUrl }, named));
      return listing.id;
    });
    tell(selling.events, [id]);
    return id;
  } catch (error) {
    await discardFiles(db, store, keysOf(stored));
    const constraint = violatedConstraint(error);
    if (constraint === 'subscriptions_slots') throw new AppError('no_free_slot');
    if (constraint === 'listings_payment_id_key') throw new AppError('payment_used');
    if (constraint === 'listings_submission_id_key') throw new AppError('submission_taken');
    throw error;
  }
}

async function findOwnSubmission({ checkout }: Selling, viewer: Viewer, submissionId: string): Promise<string | undefined> {
  const known = await queries.findSubmission(checkout.db, submissionId);
  if (known && known.seller_id !== viewer.id) throw new AppError('submission_taken');
  return known?.id;
}

/** One's own payment, booked, that was made for this very plan and currency. */
async function paymentFor(checkout: Checkout, viewer: Viewer, intentId: string, plan: Plan, country: CountryCode): Promise<Payment> {
  const payment = await payments.confirm(checkout, viewer.id, intentId);
  const isRight = payment.purpose === 'listing' && payment.plan_id === plan._id && payment.country === country;
  if (!isRight) throw new AppError('payment_mismatch');
  if (await payments.isRefunded(checkout.db, payment.id)) throw new AppError('payment_required');
  return payment;
}

/** The running subscription that covers a new listing, or 'free' where the first month is. The user must be locked. */
async function coverage(
  tx: Tx,
  user: Contact,
  wanted: { form: NewListing; plan: Plan; country: CountryCode; payment: Payment | null },
): Promise<SubscriptionRow | 'free'> {
  const { form, plan, country, payment } = wanted;
  if (payment) {
    if (await queries.isPaymentUsed(tx, payment.id)) throw new AppError('payment_used');
    const paid = await planService.findSubscriptionOfPayment(tx, payment.id);
    const hasRoom = paid && paid.ends_at.getTime() > Date.now() && paid.slots_used < paid.slots;
    if (!hasRoom) throw new AppError('no_free_slot');
    return paid;
  }
  const slot = await planService.findFreeSlot(tx, user.id, country, plan._id);
  if (slot) return slot;
  if (form.isUsingExistingSubscription) throw new AppError('no_free_slot');
  if (await planService.isFirstMonthFree(tx, user)) return 'free';
  throw new AppError('payment_required');
}
