import type { z } from 'zod';
import type { Listing } from '@handwise/contract/listings/calls';
import type { CountryCode } from '@handwise/contract/markets';
import { getRegionTimeZone } from '@handwise/contract/places/regions';
import type { Plan } from '@handwise/contract/plans/calls';
import { logoColors } from '@handwise/contract/selling/form-rules';
import type { listingForm } from '@handwise/contract/selling/forms';
import type { Context } from '../../kit/context.ts';
import { type Tx, getViolatedConstraint } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { fileUrl } from '../../kit/files/file-store.ts';
import type { UploadedFile } from '../../kit/files/multipart.ts';
import { attachFiles, discardFiles } from '../../kit/files/stored-files.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import { requestBusinessConfirmation, lockUser } from '../accounts/accounts.service.ts';
import { toFactColumns } from '../facts/facts.service.ts';
import { type Payment, type Payments, confirmOwnIntent, isFullyRefunded } from '../payments/payments.service.ts';
import * as planService from '../plans/plans.service.ts';
import type { SubscriptionRow } from '../plans/plans.service.ts';
import { claimBusinessNumber } from '../referrals/referrals.service.ts';
import { type LicenceColumns, restartCheck, restartLicenceCheck, settleLicence } from '../registers/registers.service.ts';
import { contentColumns, serviceAreaColumns } from './selling.content.ts';
import type { SellingHooks } from './selling.context.ts';
import { getOwnListing, publishListingChange } from './selling.own-listing.ts';
import { type Stored, checkPhotoCount, storeFiles, storedKeys } from './selling.photos.ts';
import { findSubmission, insertListing, isPaymentUsed } from './selling.queries.ts';

type Submission = {
  viewer: Viewer;
  market: CountryCode | null;
  form: z.output<typeof listingForm>;
  files: readonly UploadedFile[];
};

const noLicence: LicenceColumns = {
  licence_register: null,
  licence_number: null,
  licence_name: null,
  licence_class: null,
  licence_exemption: null,
  licence_below_limit: false,
};

/** What publishing needs. `underWay`: submissions of this server, of which concurrent ones with the same id share one result. */
export type Publishing = { context: Context; payments: Payments; hooks: SellingHooks; underWay: Map<string, Promise<string>> };

/**
 * Publishes a listing under a payment, a free slot or a free month, once per `submissionId`: a repeated request returns the same listing.
 * If publishing fails, the payment stays and the next attempt uses it.
 */
export async function createListing(parts: Publishing, submission: Submission): Promise<Listing> {
  const { viewer, form } = submission;
  const key = `${viewer.id} ${form.submissionId}`;
  let made = parts.underWay.get(key);
  if (!made) {
    made = submitOnce(parts, submission).finally(() => parts.underWay.delete(key));
    parts.underWay.set(key, made);
  }
  return getOwnListing(parts.context, await made, viewer);
}

async function submitOnce(parts: Publishing, submission: Submission): Promise<string> {
  const known = await findOwnSubmission(parts, submission);
  if (known) return known;
  try {
    return await publish(parts, submission);
  } catch (error) {
    // The same submission may have won on another server and have taken the slot or payment that is missing here.
    const won = await findOwnSubmission(parts, submission).catch(() => undefined);
    if (won) return won;
    throw error;
  }
}

async function findOwnSubmission({ context: { db } }: Publishing, { viewer, form }: Submission): Promise<string | undefined> {
  const known = await findSubmission(db, form.submissionId);
  if (known && known.seller_id !== viewer.id) throw new AppError('submission_taken');
  return known?.id;
}

async function publish(parts: Publishing, submission: Submission): Promise<string> {
  const { viewer, market, form, files } = submission;
  const { context } = parts;
  const { db, store } = context;
  const columns = contentColumns(form, market, { isPaid: form.paymentId !== undefined });
  const content = { ...columns, ...serviceAreaColumns(form, columns) };
  const given = toFactColumns(form, content.country, context.clock.now());
  const facts = { ...given, ...(await settleLicence(db, { ...noLicence, ...content, ...given }, given)) };
  const plan = await planService.getPlan(db, form.servicePlan);
  const photos = files.filter((file) => file.field === 'serviceImages');
  const payment = form.paymentId ? await getOwnPayment(parts, viewer, form.paymentId, plan, content.country) : null;
  const wanted = { submission, content, facts, plan, payment };
  // Checked again under lock on insert; checked here so that a rejection comes before the upload is processed.
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, viewer.id);
    const covered = await getCoverage(context.clock.now(), tx, wanted);
    checkPhotoCount(photos.length, (await getCoveringPlan(tx, covered, plan)).photos);
  });

  const stored = await storeFiles(
    context,
    viewer.id,
    photos,
    files.find((file) => file.field === 'logo'),
    form.serviceTitle,
  );
  try {
    const id = await db.transaction().execute((tx) => writeListing(parts, tx, wanted, stored));
    publishListingChange(context, [id]);
    return id;
  } catch (error) {
    await discardFiles(db, store, storedKeys(stored));
    const constraint = getViolatedConstraint(error);
    // A concurrent request from the same mailbox used the free month first.
    if (constraint?.startsWith('free_first_months_')) throw new AppError('payment_required');
    if (constraint === 'subscriptions_slots') throw new AppError('no_free_slot');
    if (constraint === 'listings_payment_id_key') throw new AppError('payment_used');
    if (constraint === 'listings_submission_id_key') throw new AppError('submission_taken');
    throw error;
  }
}

async function writeListing({ context, hooks }: Publishing, tx: Tx, wanted: Wanted, stored: Stored): Promise<string> {
  const { submission, content, facts, payment } = wanted;
  const { viewer, form } = submission;
  await lockUser(tx, viewer.id);
  const now = context.clock.now();
  const covered = await getCoverage(now, tx, wanted);
  const plan = await getCoveringPlan(tx, covered, wanted.plan);
  checkPhotoCount(stored.pictures.length, plan.photos);
  const businessNumber = facts.business_number ?? undefined;
  const terms = { plan, country: content.country, businessNumber, now };
  const subscription = covered === 'free' ? await planService.startFreeMonth(tx, viewer.id, terms) : covered;
  if (businessNumber !== undefined) await claimBusinessNumber(tx, viewer.id, businessNumber, now);
  const { id, listing_number: number } = await insertListing(tx, {
    ...content,
    ...facts,
    seller_id: viewer.id,
    subscription_id: subscription.id,
    subscription_ends_at: subscription.ends_at,
    plan_rank: plan.rank,
    pictures: JSON.stringify(stored.pictures),
    logo: stored.logo === null ? '' : fileUrl(stored.logo),
    logo_color: form.defaultLogoColor ?? logoColors[0],
    submission_id: form.submissionId,
    payment_id: payment?.id ?? null,
  });
  await attachFiles(tx, storedKeys(stored));
  await restartCheck(context, tx, { listingId: id, country: content.country, number: facts.business_number ?? null });
  const stated = { ...noLicence, ...facts };
  const claim = { register: stated.licence_register, number: stated.licence_number, holder: stated.licence_name };
  await restartLicenceCheck(context, tx, { listingId: id, ...claim });
  await requestBusinessConfirmation(context, tx, viewer.id, content.business_email);
  const timeZone = getRegionTimeZone(content.region_code, content.country);
  const { ends_at: endsAt } = subscription;
  await hooks.onPublished(tx, {
    id,
    number,
    sellerId: viewer.id,
    businessEmail: content.business_email,
    title: form.serviceTitle,
    planName: plan.name,
    endsAt,
    timeZone,
  });
  return id;
}

/** The user's own booked payment for this plan and currency. */
async function getOwnPayment(
  { context: { db }, payments }: Publishing,
  viewer: Viewer,
  intentId: string,
  plan: Plan,
  country: CountryCode,
): Promise<Payment> {
  const payment = await confirmOwnIntent(payments, viewer.id, intentId);
  const isRight = payment.purpose === 'listing' && payment.plan_id === plan._id && payment.country === country;
  if (!isRight) throw new AppError('payment_mismatch');
  if (await isFullyRefunded(db, payment.id)) throw new AppError('payment_required');
  return payment;
}

/**
 * The running subscription that covers a new listing, or 'free' for a free month; throws what that still needs. The user must be locked.
 */
async function getCoverage(now: Date, tx: Tx, { submission, content, facts, plan, payment }: Wanted): Promise<SubscriptionRow | 'free'> {
  const { viewer, form } = submission;
  if (payment) {
    if (await isPaymentUsed(tx, payment.id)) throw new AppError('payment_used');
    const paid = await planService.findSubscriptionOfPayment(tx, payment.id);
    if (paid?.disputed_at) throw new AppError('payment_disputed');
    const hasRoom = paid && planService.isRunning(paid, now) && paid.slots_used < paid.slots;
    if (!hasRoom) throw new AppError('no_free_slot');
    return paid;
  }
  const businessNumber = facts.business_number ?? undefined;
  const coverage = await planService.findCoverage(tx, viewer.id, { plan, country: content.country, businessNumber, now });
  if (coverage.by === 'slot') return coverage.subscription;
  if (form.isUsingExistingSubscription) throw new AppError('no_free_slot');
  if (coverage.by === 'payment') return planService.throwPaymentRequired(tx, viewer.id, { planType: plan.planType, businessNumber, now });
  planService.checkFreeMonthReady(coverage.free);
  return 'free';
}

/** The plan of the covering subscription, whichever was named. */
const getCoveringPlan = async (tx: Tx, covered: SubscriptionRow | 'free', named: Plan): Promise<Plan> =>
  covered === 'free' ? named : planService.getPlan(tx, covered.plan_id);

type Wanted = {
  submission: Submission;
  content: ReturnType<typeof contentColumns> & ReturnType<typeof serviceAreaColumns>;
  facts: ReturnType<typeof toFactColumns> & { licence_limit_minor: number | null };
  plan: Plan;
  payment: Payment | null;
};
