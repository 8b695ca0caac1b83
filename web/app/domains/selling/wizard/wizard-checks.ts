import type { CountryCode } from '@handwise/contract/markets';
import { logoColors } from '@handwise/contract/selling/form-rules';
import { type BusinessDetailsForm, businessDetailsForm, listingDetailsForm } from '@handwise/contract/selling/forms';
import { z } from 'zod';
import { createSchemaResolver } from '../../../lib/forms/checked-form.ts';
import type { CheckoutPayment } from '../../plans/plan-queries.ts';
import { factTexts } from '../fields/fact-schema.ts';

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
  facts: z.object(factTexts),
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

/** What drafts called their facts until 30 November 2026. */
const formerFacts = 'evidence';

/** The parts that are read whole; the others have parts of their own. */
const wholeParts = draftParts.omit({ business: true, listing: true, facts: true, photos: true, payment: true }).shape;

type Parts = Record<string, unknown>;
const isParts = (value: unknown): value is Parts => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Called for each part that is stored and cannot be read. One that is missing is of another version. */
type OnLost = () => void;

/** The stored parts that this version can read, and those of `empty` in place of all others. */
function readParts<Values extends object>(shape: z.ZodRawShape, stored: unknown, empty: Values, onLost: OnLost): Values {
  if (stored !== undefined && !isParts(stored)) onLost();
  const parts = isParts(stored) ? stored : {};
  const read = Object.entries(empty).flatMap(([name, none]) => {
    const schema = shape[name];
    if (!schema) return [];
    const { success, data } = z.safeParse(schema, parts[name]);
    if (!success && name in parts) onLost();
    return [[name, success ? data : none]];
  });
  return Object.fromEntries(read) as Values;
}

function readList<Item>(item: z.ZodType<Item>, stored: unknown, onLost: OnLost): Item[] {
  const read = Array.isArray(stored) ? stored.flatMap((one) => item.safeParse(one).data ?? []) : [];
  if (stored !== undefined && read.length !== (stored as unknown[] | null)?.length) onLost();
  return read;
}

/** What is left of a payment is enough to find it at the provider, where `state` is asked for. */
function readPayment(stored: unknown, { planId, business }: Pick<Draft, 'planId' | 'business'>, onLost: OnLost): CheckoutPayment | null {
  if (stored === undefined || stored === null) return null;
  const empty = { paymentIntentId: '', userId: '', planId: planId ?? '', country: business.country || 'NZ', state: 'open' } as const;
  const payment = readParts<CheckoutPayment>(checkoutPayment.shape, stored, empty, onLost);
  return payment.paymentIntentId ? payment : null;
}

/**
 * A draft that this or another version has stored: a part that is missing or cannot be read is that of `empty`, and the others stay. Null if
 * it is no draft. A place outside the host's country is cleared. `isDamaged`: something was stored that cannot be read.
 */
export function parseDraft(stored: string | null, market: CountryCode | null, empty: Draft): { draft: Draft; isDamaged: boolean } | null {
  let value: unknown;
  try {
    value = JSON.parse(stored ?? 'null');
  } catch {
    return null;
  }
  if (!isParts(value) || !['business', 'listing', 'facts', formerFacts, 'payment'].some((name) => isParts(value[name]))) return null;
  let isDamaged = false;
  const onLost = () => {
    isDamaged = true;
  };
  const parts = readParts(wholeParts, value, empty, onLost);
  const business = readParts(businessParts.shape, value['business'], empty.business, onLost);
  const listing = isParts(value['listing']) ? value['listing'] : {};
  const draft: Draft = {
    ...parts,
    business,
    listing: {
      ...readParts(listingParts.omit({ serviceDistricts: true }).shape, value['listing'], empty.listing, onLost),
      serviceDistricts: readList(text, listing['serviceDistricts'], onLost),
    },
    facts: readParts(factTexts, value['facts'] ?? value[formerFacts], empty.facts, onLost),
    photos: readList(fileName, value['photos'], onLost),
    payment: readPayment(value['payment'], { ...parts, business }, onLost),
  };
  const fits = !market || business.country === market;
  return { draft: fits ? draft : { ...draft, business: { ...business, country: market, region: '', district: '' } }, isDamaged };
}

export const isBusinessComplete = (draft: Draft) => businessDetailsForm.safeParse(draft.business).success;
export const isListingComplete = (draft: Draft) => listingDetailsForm.safeParse(draft.listing).success;

/** The form of step 1 with the listing's base, which depends on the place. */
export type BusinessForm = BusinessDetailsForm & { base: string };
export const businessResolver = createSchemaResolver<BusinessForm>(businessDetailsForm.safeExtend({ base: listingDetailsForm.shape.base }));
