// Without schemas: what is typed before one has signed in is counted too.

export const maxMessageLength = 2_000;
export const maxMessagePictures = 10;

/** A quote request goes to so many businesses at most, and a household makes so many requests within a day. */
export const maxQuoteReceivers = 3;
export const maxQuoteRequestsPerDay = 5;
