import { ownTimeZone } from '@handwise/contract/dates';
import { logoColors } from '@handwise/contract/selling/form-rules';
import type { CountryCode } from '@handwise/contract/markets';
import { noServiceArea } from '@handwise/contract/listings/service-area-form';
import { forOtherWork, noFacts } from '../fields/fact-form.ts';
import type { CheckoutPayment } from '../../plans/plan-queries.ts';
import { listingDraftKey, readStored, removeStored, writeStored } from '../../../lib/browser-storage.ts';
import type * as checks from './wizard-checks.ts';
import type { Draft } from './wizard-checks.ts';
import { useSyncExternalStore } from 'react';

const statusKey = 'listingFormStatus';

/** The country of a browser's time zone; empty outside both. */
function countryOfClocks(timeZone: string): CountryCode | '' {
  if (/^Pacific\/(Auckland|Chatham)$/.test(timeZone)) return 'NZ';
  return timeZone.startsWith('Australia/') ? 'AU' : '';
}

/** An empty draft, with the known values. */
export function createDraft(
  market: CountryCode | null,
  defaults: Partial<Pick<Draft, 'business' | 'facts' | 'logoColor'>> = {},
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
      businessPhone: '',
      ...defaults.business,
      ...(market && defaults.business?.country !== market && { country: market, region: '', district: '' }),
    },
    listing: { title: '', mainCategory: '', category: '', subCategory: '', description: '', ...noServiceArea },
    facts: forOtherWork(defaults.facts ?? noFacts),
    logoColor: defaults.logoColor ?? color,
    logo: null,
    photos: [],
    planId: null,
    referralCode: '',
    payment: null,
  };
}

/** The stored texts that may be drafts, in order of preference. `parseDraft` of `wizard-checks.ts` reads them. */
export const listStoredDrafts = (): string[] => [readStored(listingDraftKey), readSession()].filter((text) => text !== null);

/** Stores a draft: in the tab until step 1 is finished, then in the browser. */
export function saveDraft(draft: Draft) {
  const value = JSON.stringify(draft);
  if (draft.begun) writeStored(listingDraftKey, value);
  else
    try {
      sessionStorage.setItem(listingDraftKey, value);
    } catch {}
}

export function deleteDraft() {
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

/** Stores how the wizard was left the last time. */
export const saveStatus = (status: 'completed' | 'incompleteExit') => writeStored(statusKey, status);

/** The draft's payment if it is for this person, as far as the draft says whose it is, and for this country. */
export function findPayment(
  { payment }: Pick<Draft, 'payment'>,
  expected: { userId: string | undefined; country: CountryCode | '' },
): CheckoutPayment | null {
  return payment && ['', expected.userId].includes(payment.userId) && payment.country === expected.country ? payment : null;
}

type Checks = typeof checks;

let loaded: Checks | null = null;
const listeners = new Set<() => void>();

/** Loads the checks of a draft with 30 kB of schemas, which a visitor who only looks at step 1 does not need. */
export async function loadChecks(): Promise<Checks> {
  loaded ??= await import('./wizard-checks.ts');
  for (const listener of listeners) listener();
  return loaded;
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Null until they are loaded. */
export const useChecks = () =>
  useSyncExternalStore(
    subscribe,
    () => loaded,
    () => null,
  );
