import type { Listing } from '@handwise/contract/listings/calls';
import type { CountryCode } from '@handwise/contract/markets';
import { timeZoneOfRegion } from '@handwise/contract/places/regions';
import type { Plan } from '@handwise/contract/plans/calls';
import { type listingForm, logoColors } from '@handwise/contract/selling/forms';
import type { z } from 'zod';
import type { Context } from '../../kit/context.ts';
import { type Tx, violatedConstraint } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { fileUrl } from '../../kit/files/files.ts';
import type { UploadedFile } from '../../kit/files/multipart.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import { attachFiles, discardFiles } from '../../kit/files/stored-files.ts';
import { askBusinessAddress, lockUser } from '../accounts/accounts.service.ts';
import { type Payment, type Payments, isFullyRefunded } from '../payments/payments.service.ts';
import { beginCheck, evidenceColumnsOf } from '../evidence/evidence.service.ts';
import type { SubscriptionRow } from '../plans/plans.service.ts';
import * as planService from '../plans/plans.service.ts';
import { noteBusinessNumber } from '../referrals/referrals.service.ts';
import { showOwn, tell } from './selling.answer.ts';
import { contentOf } from './selling.content.ts';
import { type Stored, keysOf, refuseTooManyPhotos, storeFiles } from './selling.photos.ts';
import * as queries from './selling.queries.ts';
import { serviceAreaOf } from './selling.service-area.ts';

/** A listing that is on the site from this transaction on. */
export type Published = {
  id: string;
  number: number;
  sellerId: string;
  businessEmail: string;
  title: string;
  planName: string;
  endsAt: Date;
  timeZone: string;
};

/** What follows a publication, in its transaction. */
export type OnPublished = (tx: Tx, published: Published) => Promise<void>;

type Submission = {
  viewer: Viewer;
  market: CountryCode | null;
  form: z.output<typeof listingForm>;
  files: readonly UploadedFile[];
};

/** Publishes listings, and remembers the submissions under way: the same one sent twice to this server waits for one answer. */
export class Publishing {
  readonly #underWay = new Map<string, Promise<string>>();
  readonly #context: Context;
  readonly #payments: Payments;
  readonly #onPublished: OnPublished;

  constructor(parts: { context: Context; payments: Payments; onPublished: OnPublished }) {
    this.#context = parts.context;
    this.#payments = parts.payments;
    this.#onPublished = parts.onPublished;
  }

  /**
   * Publishes a listing under a payment, a free slot or a free month, once for each `submissionId`: sent again, it
   * answers with the listing that it made. What was paid stays where publishing fails, and the next attempt uses it.
   */
  async createListing(submission: Submission): Promise<Listing> {
    const { viewer, form } = submission;
    const key = `${viewer.id} ${form.submissionId}`;
    let made = this.#underWay.get(key);
    if (!made) {
      made = this.#submit(submission).finally(() => this.#underWay.delete(key));
      this.#underWay.set(key, made);
    }
    return showOwn(this.#context, await made, viewer);
  }

  async #submit(submission: Submission): Promise<string> {
    const known = await this.#findOwn(submission);
    if (known) return known;
    try {
      return await this.#publish(submission);
    } catch (error) {
      // The same submission may have won on another server, and have taken the very slot or payment that this one lacks.
      const won = await this.#findOwn(submission).catch(() => undefined);
      if (won) return won;
      throw error;
    }
  }

  async #findOwn({ viewer, form }: Submission): Promise<string | undefined> {
    const known = await queries.findSubmission(this.#context.db, form.submissionId);
    if (known && known.seller_id !== viewer.id) throw new AppError('submission_taken');
    return known?.id;
  }

  async #publish(submission: Submission): Promise<string> {
    const { viewer, market, form, files } = submission;
    const { db, store } = this.#context;
    const said = contentOf(form, market);
    const content = { ...said, ...serviceAreaOf(form, said) };
    const evidence = evidenceColumnsOf(form, content.country, this.#context.clock.now());
    const plan = await planService.getPlan(db, form.servicePlan);
    const photos = files.filter((file) => file.field === 'serviceImages');
    const payment = form.paymentId ? await this.#paymentFor(viewer, form.paymentId, plan, content.country) : null;
    const wanted = { submission, content, evidence, plan, payment };
    // Asked again under lock when it is written. Asked here so that nobody uploads for a refusal.
    await db.transaction().execute(async (tx) => {
      await lockUser(tx, viewer.id);
      const covered = await this.#coverage(tx, wanted);
      refuseTooManyPhotos(photos.length, (await this.#planOf(tx, covered, plan)).photos);
    });

    const stored = await storeFiles(
      this.#context,
      viewer.id,
      photos,
      files.find((file) => file.field === 'logo'),
      form.serviceTitle,
    );
    try {
      const id = await db.transaction().execute((tx) => this.#write(tx, wanted, stored));
      tell(this.#context, [id]);
      return id;
    } catch (error) {
      await discardFiles(db, store, keysOf(stored));
      const constraint = violatedConstraint(error);
      // Somebody else with the same mailbox was quicker.
      if (constraint?.startsWith('free_first_months_')) throw new AppError('payment_required');
      if (constraint === 'subscriptions_slots') throw new AppError('no_free_slot');
      if (constraint === 'listings_payment_id_key') throw new AppError('payment_used');
      if (constraint === 'listings_submission_id_key') throw new AppError('submission_taken');
      throw error;
    }
  }

  async #write(tx: Tx, wanted: Wanted, stored: Stored): Promise<string> {
    const { submission, content, evidence, payment } = wanted;
    const { viewer, form } = submission;
    await lockUser(tx, viewer.id);
    const covered = await this.#coverage(tx, wanted);
    const plan = await this.#planOf(tx, covered, wanted.plan);
    refuseTooManyPhotos(stored.pictures.length, plan.photos);
    const now = this.#context.clock.now();
    const businessNumber = evidence.business_number ?? undefined;
    const terms = { plan, country: content.country, businessNumber, now };
    const subscription = covered === 'free' ? await planService.startFreeMonth(tx, viewer.id, terms) : covered;
    if (businessNumber !== undefined) await noteBusinessNumber(tx, viewer.id, businessNumber, now);
    const { id, listing_number: number } = await queries.insertListing(tx, {
      ...content,
      ...evidence,
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
    await attachFiles(tx, keysOf(stored));
    await beginCheck(this.#context, tx, { listingId: id, country: content.country, number: evidence.business_number ?? null });
    await askBusinessAddress(this.#context, tx, viewer.id, content.business_email);
    const timeZone = timeZoneOfRegion(content.region_code, content.country);
    const { ends_at: endsAt } = subscription;
    await this.#onPublished(tx, {
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

  /** One's own payment, booked, that was made for this very plan and currency. */
  async #paymentFor(viewer: Viewer, intentId: string, plan: Plan, country: CountryCode): Promise<Payment> {
    const payment = await this.#payments.confirm(viewer.id, intentId);
    const isRight = payment.purpose === 'listing' && payment.plan_id === plan._id && payment.country === country;
    if (!isRight) throw new AppError('payment_mismatch');
    if (await isFullyRefunded(this.#context.db, payment.id)) throw new AppError('payment_required');
    return payment;
  }

  /** The running subscription that covers a new listing, or 'free' where a free month does. Throws what that still needs. The user must be locked. */
  async #coverage(tx: Tx, { submission, content, evidence, plan, payment }: Wanted): Promise<SubscriptionRow | 'free'> {
    const { viewer, form } = submission;
    const now = this.#context.clock.now();
    if (payment) {
      if (await queries.isPaymentUsed(tx, payment.id)) throw new AppError('payment_used');
      const paid = await planService.findSubscriptionOfPayment(tx, payment.id);
      if (paid?.disputed_at) throw new AppError('payment_disputed');
      const hasRoom = paid && planService.isRunning(paid, now) && paid.slots_used < paid.slots;
      if (!hasRoom) throw new AppError('no_free_slot');
      return paid;
    }
    const businessNumber = evidence.business_number ?? undefined;
    const coverage = await planService.findCoverage(tx, viewer.id, { plan, country: content.country, businessNumber, now });
    if (coverage.by === 'slot') return coverage.subscription;
    if (form.isUsingExistingSubscription) throw new AppError('no_free_slot');
    if (coverage.by === 'payment') return planService.refuseUnpaid(tx, viewer.id, { planType: plan.planType, businessNumber, now });
    planService.refuseUnready(coverage.free);
    return 'free';
  }

  /** The plan that a listing gets: that of the subscription which covers it, whichever was named. */
  #planOf = async (tx: Tx, covered: SubscriptionRow | 'free', named: Plan): Promise<Plan> =>
    covered === 'free' ? named : planService.getPlan(tx, covered.plan_id);
}

type Wanted = {
  submission: Submission;
  content: ReturnType<typeof contentOf> & ReturnType<typeof serviceAreaOf>;
  evidence: ReturnType<typeof evidenceColumnsOf>;
  plan: Plan;
  payment: Payment | null;
};
