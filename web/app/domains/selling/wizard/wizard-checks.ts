import type { CountryCode } from '@handwise/contract/markets';
import { logoColors } from '@handwise/contract/selling/form-rules';
import { type BusinessDetailsForm, businessDetailsForm, listingDetailsForm } from '@handwise/contract/selling/forms';
import { z } from 'zod';
import { createSchemaResolver } from '../../../lib/forms/checked-form.ts';
import type { CheckoutPayment } from '../../plans/plan-queries.ts';
import { evidenceTexts } from '../fields/evidence-schema.ts';

// The checks of a draft need the schema library, so the wizard loads this file through `loadChecks`.

const text = z.string();
const fileName = z.object({ id: z.string().max(100), name: text });

const checkoutPayment = z.object({
  paymentIntentId: z.string(),
  userId: z.uuid(),
  planId: z.uuid(),
  country: z.enum(['NZ', 'AU']),
  state: z.enum(['open', 'paid']),
}) satisfies z.ZodType<CheckoutPayment>;

const businessParts = z.object({
  businessName: text,
  businessEmail: text,
  country: z.enum(['NZ', 'AU', '']),
  region: text,
  district: text,
  services: text,
  aboutBusiness: text,
  website: text,
  businessPhone: text,
});

const listingParts = z.object({
  title: text,
  mainCategory: z.enum(['domestic', 'trade', 'other', '']),
  category: text,
  subCategory: text,
  description: text,
  base: text,
  reach: text,
  serviceDistricts: z.array(text),
});

const draftParts = z.object({
  /** The idempotency key of the listing. */
  submissionId: z.uuid(),
  step: z.enum(['business', 'plan', 'details', 'sign-in', 'payment']),
  /** Whether step 1 was ever finished: from then on the draft outlives the tab. */
  begun: z.boolean(),
  business: businessParts,
  listing: listingParts,
  evidence: z.object(evidenceTexts),
  logoColor: z.enum(logoColors),
  /** The files themselves are in the file store, under these ids. */
  logo: fileName.nullable(),
  photos: z.array(fileName),
  planId: z.uuid().nullable(),
  /** Set once the server has accepted it. */
  referralCode: text,
  /** A payment that was or may have been made, stored so that no one pays twice. */
  payment: checkoutPayment.nullable(),
});
export type Draft = z.infer<typeof draftParts>;

type Parts = Record<string, unknown>;
const isParts = (value: unknown): value is Parts => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The stored parts that this version can read, and those of `empty` in place of all others. */
function readParts<Values extends object>(schema: z.ZodObject, stored: unknown, empty: Values): Values {
  const parts = isParts(stored) ? stored : {};
  const read = Object.entries(empty).map(([name, none]) => {
    const { success, data } = z.safeParse(schema.shape[name] ?? z.never(), parts[name]);
    return [name, success ? data : none];
  });
  return Object.fromEntries(read) as Values;
}

const readList = <Item>(item: z.ZodType<Item>, stored: unknown): Item[] =>
  Array.isArray(stored) ? stored.flatMap((one) => item.safeParse(one).data ?? []) : [];

/** What is left of a payment is enough to find it at the provider, where `state` is asked for. */
function readPayment(stored: unknown, { planId, business }: Pick<Draft, 'planId' | 'business'>): CheckoutPayment | null {
  if (!isParts(stored)) return null;
  const empty = { paymentIntentId: '', userId: '', planId: planId ?? '', country: business.country || 'NZ', state: 'open' } as const;
  const payment = readParts<CheckoutPayment>(checkoutPayment, stored, empty);
  return payment.paymentIntentId ? payment : null;
}

/**
 * A draft that this or another version has stored: a part that is missing or cannot be read is that of `empty`, and the others stay. Null if
 * it is no draft. A place outside the host's country is cleared.
 */
export function parseDraft(stored: string | null, market: CountryCode | null, empty: Draft): Draft | null {
  let value: unknown;
  try {
    value = JSON.parse(stored ?? 'null');
  } catch {
    return null;
  }
  if (!isParts(value) || !(isParts(value['business']) || isParts(value['payment']))) return null;
  const parts = readParts(draftParts, value, empty);
  const business = readParts(businessParts, value['business'], empty.business);
  const draft: Draft = {
    ...parts,
    business,
    listing: {
      ...readParts(listingParts, value['listing'], empty.listing),
      serviceDistricts: readList(text, isParts(value['listing']) ? value['listing']['serviceDistricts'] : []),
    },
    evidence: readParts(z.object(evidenceTexts), value['evidence'], empty.evidence),
    photos: readList(fileName, value['photos']),
    payment: readPayment(value['payment'], { ...parts, business }),
  };
  const fits = !market || business.country === market;
  return fits ? draft : { ...draft, business: { ...business, country: market, region: '', district: '' } };
}

export const isBusinessComplete = (draft: Draft) => businessDetailsForm.safeParse(draft.business).success;
export const isListingComplete = (draft: Draft) => listingDetailsForm.safeParse(draft.listing).success;

/** The form of step 1 with the listing's base, which depends on the place. */
export type BusinessForm = BusinessDetailsForm & { base: string };
export const businessResolver = createSchemaResolver<BusinessForm>(businessDetailsForm.safeExtend({ base: listingDetailsForm.shape.base }));
