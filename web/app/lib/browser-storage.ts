// Storage can be off or full; nothing on the site may fail for that.

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function writeStored(key: string, value: string) {
  try {
    localStorage.setItem(key, value);
  } catch {}
}

export function removeStored(key: string) {
  try {
    localStorage.removeItem(key);
  } catch {}
}

/** Set by the listing wizard while there is something unfinished. */
export const listingDraftKey = 'listingFormData';
/** Identifies this browser at the sign-in. */
export const deviceKey = 'device';
/** The own code, and whether the last registration earned a ticket: for the pages after it. */
export const ownReferralCodeKey = 'userReferralCode';
export const newTicketKey = 'hasNewReferralTicket';
/** The recent searches of this browser, last first. They never leave it. */
export const recentSearchesKey = 'recentSearches';

/** Whether search results show as a list or a map where there is no room for both. */
export const resultsViewKey = 'resultsView';

/** Message drafts, the message to send after signing in, and unsent messages. */
export const messageDraftsKey = 'messageDrafts';
export const pendingMessageKey = 'messageWish';
/** A job that is described for quotes, and that it is to be sent once its author is signed in. */
export const quoteDraftKey = 'quoteDraft';
export const pendingQuotesKey = 'quoteWish';
/** How the keys of its photos begin in the store of files. */
export const quotePhotoPrefix = 'quote ';
export const unsentMessagesKey = 'unsentMessages';

export const hasListingDraft = () => readStored(listingDraftKey) !== null;
