import { paths } from '@handwise/contract/paths';
import { type QuoteTime, quoteTimes } from '@handwise/contract/messages/quote-words';
import { quoteDraftKey, pendingQuotesKey, readStored, removeStored, writeStored } from '../../../../lib/browser-storage.ts';
import { storeForAnHour, readUnexpired } from '../../../../lib/session/pending-action.ts';

/** A business selected for a quote request. */
export type QuotePick = { listingId: string; name: string; title: string };
export type StoredPhoto = { id: string; name: string };

/** A partly described job. Its photos are in the file store, under their ids. */
export type QuoteDraft = {
  job: string;
  category: string;
  subCategory: string;
  place: string;
  when: QuoteTime;
  date: string;
  picks: readonly QuotePick[];
  photos: readonly StoredPhoto[];
  /** The receivers so far, with their conversations; later receivers get the same version. */
  sent: readonly { listingId: string; conversationId: string }[];
  /** The idempotency key of the request, across tabs and retries. */
  clientId: string;
};

export const createEmptyDraft = (): QuoteDraft => ({
  job: '',
  category: '',
  subCategory: '',
  place: '',
  when: 'flexible',
  date: '',
  picks: [],
  photos: [],
  sent: [],
  clientId: crypto.randomUUID(),
});

const formatIs = (value: unknown): value is string => typeof value === 'string';
const isListOf =
  (...names: string[]) =>
  (value: unknown) =>
    Array.isArray(value) && value.every((one: unknown) => names.every((name) => formatIs((one as Record<string, unknown> | null)?.[name])));

const fits: Record<keyof QuoteDraft, (value: unknown) => boolean> = {
  job: formatIs,
  category: formatIs,
  subCategory: formatIs,
  place: formatIs,
  when: (value) => formatIs(value) && Object.hasOwn(quoteTimes, value),
  date: formatIs,
  picks: isListOf('listingId', 'name', 'title'),
  photos: isListOf('id', 'name'),
  sent: isListOf('listingId', 'conversationId'),
  clientId: (value) => formatIs(value) && value !== '',
};

/** The stored draft, or an empty one. Invalid values are ignored. */
export function readQuoteDraft(): QuoteDraft {
  const empty = createEmptyDraft();
  try {
    const read = JSON.parse(readStored(quoteDraftKey) ?? '{}') as Record<string, unknown> | null;
    const valid = Object.entries(fits).flatMap(([name, isFit]) => (isFit(read?.[name]) ? [[name, read?.[name]]] : []));
    return { ...empty, ...(Object.fromEntries(valid) as Partial<QuoteDraft>) };
  } catch {
    return empty;
  }
}

export const saveQuoteDraft = (draft: QuoteDraft) => writeStored(quoteDraftKey, JSON.stringify(draft));
export const deleteQuoteDraft = () => removeStored(quoteDraftKey);

/** Marks the described job to be sent after signing in. */
export const setPendingQuotes = (now = Date.now()) => storeForAnHour(pendingQuotesKey, {}, now);
export const hasPendingQuotes = (now = Date.now()) => readUnexpired(pendingQuotesKey, now) !== null;

/** Whether to send the draft now; true only once. */
export function takePendingQuotes(now = Date.now()): boolean {
  const isPending = hasPendingQuotes(now);
  removeStored(pendingQuotesKey);
  return isPending;
}

/** Where visitors return to after signing in to send it. */
export const sendPath = `${paths.getQuotes}?send`;
export const hasSendParameter = (search: string) => new URLSearchParams(search).has('send');
/** Whether the target is to send the draft. */
export const leadsToSending = (target: string) => target === sendPath || target.startsWith(`${sendPath}=`);
