import { z } from 'zod';
import { type ProviderName, providerNames } from './provider-names.ts';

export const provider = z.enum(Object.keys(providerNames) as [ProviderName, ...ProviderName[]]);

/** An account at a provider that signs in to an account here. */
export const oneIdentity = z.object({
  provider,
  email: z.string().meta({ description: 'The address that the provider gave, or empty' }),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});
export type OneIdentity = z.infer<typeof oneIdentity>;
