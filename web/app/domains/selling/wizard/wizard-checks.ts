import type { CountryCode } from '@handwise/contract/markets';
import { logoColors } from '@handwise/contract/selling/form-rules';
import { type BusinessDetailsForm, businessDetailsForm, listingDetailsForm } from '@handwise/contract/selling/forms';
import { z } from 'zod';
import { createSchemaResolver } from '../../../lib/forms/checked-form.ts';
import type { CheckoutPayment } from '../../plans/plan-queries.ts';
import { noEvidence } from '../fields/evidence-form.ts';
import { evidenceTexts } from '../fields/evidence-schema.ts';

// The checks of a draft need the schema library, so the wizard loads this file through `loadChecks`.

const text = z.string().max(10_000);
const fileName = z.object({ id: z.string().max(100), name: text });

const checkoutPayment = z.object({
  paymentIntentId: z.string(),
  userId: z.uuid(),
  planId: z.uuid(),
  country: z.enum(['NZ', 'AU']),
  state: z.enum(['open', 'paid']),
}) satisfies z.ZodType<CheckoutPayment>;

const draftSchema = z.object({
  /** The idempotency key of the listing. */
  submissionId: z.uuid(),
  step: z.enum(['business', 'plan', 'details', 'sign-in', 'payment']),
  /** Whether step 1 was ever finished: from then on the draft outlives the tab. */
  begun: z.boolean(),
  business: z.object({
    businessName: text,
    businessEmail: text,
    country: z.enum(['NZ', 'AU', '']),
    region: text,
    district: text,
    services: text,
    aboutBusiness: text,
    website: text,
    // Older drafts lack it.
    businessPhone: text.default(''),
  }),
  listing: z.object({
    title: text,
    mainCategory: z.enum(['domestic', 'trade', 'other', '']),
    category: text,
    subCategory: text,
    description: text,
    base: text.default(''),
    reach: text.default(''),
    serviceDistricts: z.array(text).max(100).default([]),
  }),
  // Older drafts lack some of these fields.
  evidence: z.object({ ...evidenceTexts, minimumCharge: text.default('') }).default(noEvidence),
  logoColor: z.enum(logoColors),
  /** The files themselves are in the file store, under these ids. */
  logo: fileName.nullable(),
  photos: z.array(fileName).max(100),
  planId: z.uuid().nullable(),
  /** Set once the server has accepted it. */
  referralCode: text,
  /** A payment that was or may have been made, stored so that no one pays twice. */
  payment: checkoutPayment.nullable(),
});
export type Draft = z.infer<typeof draftSchema>;

/** A stored draft, or null if it is invalid. A place outside the host's country is cleared. */
export function parseDraft(stored: string | null, market: CountryCode | null): Draft | null {
  let value: unknown;
  try {
    value = JSON.parse(stored ?? 'null');
  } catch {
    return null;
  }
  const draft = draftSchema.safeParse(value).data;
  if (!draft) return null;
  const fits = !market || draft.business.country === market;
  return fits ? draft : { ...draft, business: { ...draft.business, country: market, region: '', district: '' } };
}

export const isBusinessComplete = (draft: Draft) => businessDetailsForm.safeParse(draft.business).success;
export const isListingComplete = (draft: Draft) => listingDetailsForm.safeParse(draft.listing).success;

/** The form of step 1 with the listing's base, which depends on the place. */
export type BusinessForm = BusinessDetailsForm & { base: string };
export const businessResolver = createSchemaResolver<BusinessForm>(businessDetailsForm.safeExtend({ base: listingDetailsForm.shape.base }));
