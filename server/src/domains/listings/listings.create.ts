import { type Listing, type listingEdit, type listingForm, logoColors } from '@handwise/contract/listings';
import type { CountryCode } from '@handwise/contract/markets';
import { timeZoneOfRegion } from '@handwise/contract/places';
import { type Plan, plans } from '@handwise/contract/plans';
import type { z } from 'zod';
import { type Tx, violatedConstraint } from '../../kit/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import type { Events } from '../../kit/events.ts';
import { fileKey, fileUrl } from '../../kit/files.ts';
import type { FileStore } from '../../kit/files-store.ts';
import { processLogo, processPictures } from '../../kit/images.ts';
import { sendMail } from '../../kit/mail.ts';
import type { UploadedFile } from '../../kit/multipart.ts';
import type { Viewer } from '../../kit/session-guard.ts';
import { type StoredPicture, attachFiles, detachFiles, discardFiles, storeLogo, storePictures } from '../../kit/stored-files.ts';
import { type Contact, lockUser } from '../accounts/accounts.service.ts';
import type { Checkout, Payment } from '../payments/payments.service.ts';
import * as payments from '../payments/payments.service.ts';
import type { SubscriptionRow } from '../plans/plans.service.ts';
import * as planService from '../plans/plans.service.ts';
import { contentOf } from './listings.form.ts';
import { liveMail } from './listings.mails.ts';
import * as queries from './listings.owner-queries.ts';
import { getListing } from './listings.service.ts';
import { planTypeOfRank } from './listings.views.ts';

/** What publishing and changing listings needs. */
export type Selling = {
  checkout: Checkout;
  store: FileStore;
  events: Events;
  /** Submissions that this server works on now: the same one sent twice waits for one answer. */
  underWay: Map<string, Promise<string>>;
};

type NewListing = z.output<typeof listingForm>;
type Stored = { pictures: StoredPicture[]; logo: string | null };

const keysOf = ({ pictures, logo }: Stored) => [...pictures.map((picture) => picture.key), ...(logo === null ? [] : [logo])];

// Own changes are told at once, so that whoever published finds the listing in the next search. Others hear of it by the database.
const tell = (events: Events, ids: readonly string[]) => events.emit('listings', ids);

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
  return getListing(checkout.db, await submission, viewer);
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

function refuseTooManyPhotos(count: number, most: number) {
  if (count > most) {
    throw new AppError('too_many_files', {
      fields: [{ field: 'serviceImages', message: `Your plan has up to ${most} photos; you chose ${count}.` }],
    });
  }
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

async function storeFiles(
  { checkout, store }: Selling,
  photos: readonly UploadedFile[],
  logo: UploadedFile | undefined,
  title: string,
): Promise<Stored> {
  const { db } = checkout;
  // Every file is looked at before the first one is stored: a bad one leaves nothing behind.
  const [processed, processedLogo] = await Promise.all([processPictures(photos), logo && processLogo(logo)]);
  const many = processed.length > 1;
  const named = processed.map((picture, index) => ({ ...picture, alt: many ? `${title}, photo ${index + 1}` : title }));
  const pictures = await storePictures(db, store, named);
  if (!processedLogo) return { pictures, logo: null };
  try {
    return { pictures, logo: await storeLogo(db, store, processedLogo) };
  } catch (error) {
    await discardFiles(db, store, keysOf({ pictures, logo: null }));
    throw error;
  }
}

type Edit = z.output<typeof listingEdit>;

/**
 * Changes one's own listing. Pictures stay, go and move as `serviceImageOrder` says; without it they all stay and new ones
 * come last. Throws `listing_not_found` for somebody else's.
 */
export async function updateListing(
  selling: Selling,
  viewer: Viewer,
  market: CountryCode | null,
  id: string,
  form: Edit,
  files: readonly UploadedFile[],
): Promise<Listing> {
  const { checkout, store, events } = selling;
  const { db } = checkout;
  const before = await queries.findOwn(db, id, viewer.id);
  if (!before) throw new AppError('listing_not_found');
  const content = contentOf(form, market);
  if (content.country !== before.country) {
    throw invalidField('location', 'A listing stays in its country, because its plan is paid in that currency');
  }
  const photos = files.filter((file) => file.field === 'serviceImages');
  // Seen before anything is stored, and again under lock: another request may take the last place meanwhile.
  arrangeWithinPlan(before, form.serviceImageOrder, photos.length);

  const stored = await storeFiles(
    selling,
    photos,
    files.find((file) => file.field === 'logo'),
    form.serviceTitle,
  );
  try {
    await db.transaction().execute(async (tx) => {
      const listing = await queries.lockOwn(tx, id, viewer.id);
      if (!listing) throw new AppError('listing_not_found');
      const pictures = arrangeWithinPlan(listing, form.serviceImageOrder, photos.length).flatMap((one) =>
        typeof one === 'number' ? (stored.pictures[one] ?? []) : one,
      );
      const logo = stored.logo === null ? (form.usingDefaultLogo ? '' : listing.logo) : fileUrl(stored.logo);
      await queries.updateListing(tx, id, {
        ...content,
        pictures: JSON.stringify(pictures),
        logo,
        logo_color: form.defaultLogoColor ?? listing.logo_color,
      });
      const kept = new Set(pictures.map((picture) => picture.key));
      const oldLogo = logo === listing.logo ? undefined : fileKey(listing.logo);
      const gone = listing.pictures.map((picture) => picture.key).filter((key) => !kept.has(key));
      await detachFiles(tx, oldLogo ? [...gone, oldLogo] : gone);
      await attachFiles(tx, keysOf(stored));
    });
  } catch (error) {
    await discardFiles(db, store, keysOf(stored));
    throw error;
  }
  tell(events, [id]);
  return getListing(db, id, viewer);
}

/** As `arrange`, where the plan has room for new ones. Those kept from a larger plan stay. */
function arrangeWithinPlan(listing: queries.OwnListing, order: readonly string[] | undefined, added: number) {
  const arranged = arrange(listing, order, added);
  if (added > 0) refuseTooManyPhotos(arranged.length, plans[planTypeOfRank(listing.plan_rank)].photos);
  return arranged;
}

/** The pictures as they are to be: those that are there, and numbers for the new ones. Each can be named once. */
function arrange(listing: queries.OwnListing, order: readonly string[] | undefined, added: number): (StoredPicture | number)[] {
  const numbers = Array.from({ length: added }, (_, index) => index);
  if (!order) return [...listing.pictures, ...numbers];
  const left = new Map<string, StoredPicture | number>([
    ...listing.pictures.map((picture) => [picture.key, picture] as const),
    ...numbers.map((number) => [`new:${number}`, number] as const),
  ]);
  const arranged = order.map((name) => {
    const key = fileKey(name)?.replace(/-\d+\.\w+$/, '') ?? name;
    const one = left.get(key);
    left.delete(key);
    if (one === undefined)
      throw invalidField('serviceImageOrder', 'One of these pictures is not there. Please reload the page and try again.');
    return one;
  });
  const forgotten = [...left.values()].filter((one) => typeof one === 'number');
  return [...arranged, ...forgotten];
}
