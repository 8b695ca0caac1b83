// Without schemas, because the page for visitors imports these limits.

export const maxMessageLength = 2_000;
export const maxMessagePictures = 10;

/** Businesses per quote request, and quote requests per customer and day. */
export const maxQuoteRequestReceivers = 3;
export const maxQuoteRequestsPerDay = 5;
