// No schemas, so that public pages can import them without zod.

/** The identity providers, as people know them. */
export const providerNames = { google: 'Google', apple: 'Apple' } as const;
export type ProviderName = keyof typeof providerNames;
