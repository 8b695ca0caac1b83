import { ownTimeZone } from '@handwise/contract/dates';
import { logoColors } from '@handwise/contract/selling/forms';
import type { CountryCode } from '@handwise/contract/markets';
import { noServiceArea } from '@handwise/contract/listings/service-area';
import { z } from 'zod';
import { evidenceTexts, noEvidence } from '../fields/evidence-form.ts';
import { type CheckoutPayment, checkoutPayment } from '../../plans/plan-queries.ts';
import { listingDraftKey, readStored, removeStored, writeStored } from '../../../lib/browser-storage.ts';

const statusKey = 'listingFormStatus';

const text = z.string().max(10_000);
const fileName = z.object({ id: z.string().max(100), name: text });

const draftSchema = z.object({
  /** Made once for each listing: sending it again gives the same listing, never a second one. */
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
  /** Not there in drafts that are older than these fields. */
  evidence: z.object(evidenceTexts).default(noEvidence),
  logoColor: z.enum(logoColors),
  /** The files themselves are in the file store, under these ids. */
  logo: fileName.nullable(),
  photos: z.array(fileName).max(100),
  planId: z.uuid().nullable(),
  /** Set once it was accepted. */
  referralCode: text,
  /** What was paid, or may have been, before the listing is there: nobody pays for it again. */
  payment: checkoutPayment.nullable(),
});
export type Draft = z.infer<typeof draftSchema>;

/** The country of a browser's time zone; empty outside both. */
function countryOfClocks(timeZone: string): CountryCode | '' {
  if (/^Pacific\/(Auckland|Chatham)$/.test(timeZone)) return 'NZ';
  return timeZone.startsWith('Australia/') ? 'AU' : '';
}

/** An empty draft, with what is known already. */
export function newDraft(
  market: CountryCode | null,
  known: Partial<Pick<Draft, 'business' | 'evidence' | 'logoColor'>> = {},
  timeZone = ownTimeZone(),
): Draft {
  const color = logoColors[Math.floor(Math.random() * logoColors.length)] ?? logoColors[0];
  return {
    submissionId: crypto.randomUUID(),
    step: 'business',
    begun: false,
    business: {
      businessName: '',
      businessEmail: '',
      country: countryOfClocks(timeZone),
      region: '',
      district: '',
      services: '',
      aboutBusiness: '',
      website: '',
      ...known.business,
      ...(market && known.business?.country !== market && { country: market, region: '', district: '' }),
    },
    listing: { title: '', mainCategory: '', category: '', subCategory: '', description: '', ...noServiceArea },
    evidence: known.evidence ?? noEvidence,
    logoColor: known.logoColor ?? color,
    logo: null,
    photos: [],
    planId: null,
    referralCode: '',
    payment: null,
  };
}

/** A stored draft, or null where it is none. A place in another country than the host's is dropped. */
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

export const readDraft = (market: CountryCode | null) =>
  parseDraft(readStored(listingDraftKey), market) ?? parseDraft(readSession(), market);

/** From step 2 on drafts stay in the browser; before, they stay as long as the tab, so that a reload loses nothing. */
export function keepDraft(draft: Draft) {
  const value = JSON.stringify(draft);
  if (draft.begun) writeStored(listingDraftKey, value);
  else
    try {
      sessionStorage.setItem(listingDraftKey, value);
    } catch {}
}

export function dropDraft() {
  removeStored(listingDraftKey);
  try {
    sessionStorage.removeItem(listingDraftKey);
  } catch {}
}

function readSession() {
  try {
    return sessionStorage.getItem(listingDraftKey);
  } catch {
    return null;
  }
}

/** How the wizard was left the last time. */
export const keepStatus = (status: 'completed' | 'incompleteExit') => writeStored(statusKey, status);

/** What was paid for exactly this: another plan, country or person needs a payment of its own. */
export function paymentFor(
  { payment }: Pick<Draft, 'payment'>,
  wanted: { userId: string | undefined; country: CountryCode | '' },
): CheckoutPayment | null {
  return payment && payment.userId === wanted.userId && payment.country === wanted.country ? payment : null;
}
