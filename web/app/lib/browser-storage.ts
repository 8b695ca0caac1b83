// Storage can be disabled or full, and nothing on the site may fail because of it.

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

/** Set by the listing wizard while a draft is unfinished. */
export const listingDraftKey = 'listingFormData';
/** Identifies this browser at sign-in. */
export const deviceKey = 'device';
/** The code of a referral link that was followed, until somebody registers in this browser. */
export const linkedReferralCodeKey = 'linkedReferralCode';
/** The user's own code, and whether the registration just made earned a ticket. */
export const ownReferralCodeKey = 'userReferralCode';
export const newTicketKey = 'hasNewReferralTicket';
/** The recent searches of this browser, last first. They never leave it. */
export const recentSearchesKey = 'recentSearches';

/** The country that this browser chose last, or `both`. */
export const countryKey = 'country';

/** Whether search results show as a list or a map if there is no room for both. */
export const resultsViewKey = 'resultsView';

/** Set once this browser has dismissed the offer of notifications about work. */
export const pushDismissedKey = 'pushDismissed';

/** Message drafts, the message to send after signing in, and unsent messages. */
export const messageDraftsKey = 'messageDrafts';
export const pendingMessageKey = 'messageWish';
/** The draft of a quote request, and whether to send it after signing in. */
export const quoteRequestDraftKey = 'quoteDraft';
export const pendingQuoteRequestKey = 'quoteWish';
/** The key prefix of its photos in the file store. */
export const quoteRequestPhotoPrefix = 'quote ';
/** The key prefix of a first message's files in the file store, followed by the id of its listing. */
export const messageFilePrefix = 'message ';
/** Quotes that a business is writing, by their conversation. */
export const quoteDraftsKey = 'offerDrafts';
export const unsentMessagesKey = 'unsentMessages';

export const hasListingDraft = () => readStored(listingDraftKey) !== null;
