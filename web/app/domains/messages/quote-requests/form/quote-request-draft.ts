import { paths } from '@handwise/contract/paths';
import { type JobTime, jobTimes } from '@handwise/contract/messages/job-words';
import { quoteRequestDraftKey, pendingQuoteRequestKey, readStored, removeStored, writeStored } from '../../../../lib/browser-storage.ts';
import { storeForAnHour, readUnexpired } from '../../../../lib/session/pending-action.ts';

/** A business selected for a quote request. */
export type QuoteRequestPick = { listingId: string; name: string; title: string };
export type StoredPhoto = { id: string; name: string };

/** A partly described job. Its photos are in the file store, under their ids. */
export type QuoteRequestDraft = {
  job: string;
  category: string;
  subCategory: string;
  place: string;
  when: JobTime;
  date: string;
  picks: readonly QuoteRequestPick[];
  photos: readonly StoredPhoto[];
  /** The receivers so far, with their conversations; later receivers get the same version. */
  sent: readonly { listingId: string; conversationId: string }[];
  /** The idempotency key of the request, across tabs and retries. */
  clientId: string;
};

export const createEmptyDraft = (): QuoteRequestDraft => ({
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

const isText = (value: unknown): value is string => typeof value === 'string';
const readText = (value: unknown) => (isText(value) ? value : undefined);
/** The items that have these texts. */
const readList =
  (...names: string[]) =>
  (value: unknown) =>
    Array.isArray(value) ? value.filter((one: Record<string, unknown> | null) => names.every((name) => isText(one?.[name]))) : undefined;

const readers: Record<keyof QuoteRequestDraft, (value: unknown) => unknown> = {
  job: readText,
  category: readText,
  subCategory: readText,
  place: readText,
  when: (value) => (isText(value) && Object.hasOwn(jobTimes, value) ? value : undefined),
  date: readText,
  picks: readList('listingId', 'name', 'title'),
  photos: readList('id', 'name'),
  sent: readList('listingId', 'conversationId'),
  clientId: (value) => readText(value) || undefined,
};

/** The stored draft, or an empty one. Parts that are missing or cannot be read are those of an empty one. */
export function readQuoteRequestDraft(): QuoteRequestDraft {
  const empty = createEmptyDraft();
  try {
    const read = JSON.parse(readStored(quoteRequestDraftKey) ?? '{}') as Record<string, unknown> | null;
    const valid = Object.entries(readers)
      .map(([name, reader]) => [name, reader(read?.[name])])
      .filter(([, value]) => value !== undefined);
    return { ...empty, ...(Object.fromEntries(valid) as Partial<QuoteRequestDraft>) };
  } catch {
    return empty;
  }
}

export const saveQuoteRequestDraft = (draft: QuoteRequestDraft) => writeStored(quoteRequestDraftKey, JSON.stringify(draft));
export const deleteQuoteRequestDraft = () => removeStored(quoteRequestDraftKey);

/** Marks the described job to be sent after signing in. */
export const setPendingQuoteRequest = (now = Date.now()) => storeForAnHour(pendingQuoteRequestKey, {}, now);
export const hasPendingQuoteRequest = (now = Date.now()) => readUnexpired(pendingQuoteRequestKey, now) !== null;

/** Whether to send the draft now; true only once. */
export function takePendingQuoteRequest(now = Date.now()): boolean {
  const isPending = hasPendingQuoteRequest(now);
  removeStored(pendingQuoteRequestKey);
  return isPending;
}

/** Where visitors return to after signing in to send it. */
export const sendPath = `${paths.getQuotes}?send`;
export const hasSendParameter = (search: string) => new URLSearchParams(search).has('send');
/** Whether the target is to send the draft. */
export const leadsToSending = (target: string) => target === sendPath || target.startsWith(`${sendPath}=`);
