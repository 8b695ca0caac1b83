import { type ProviderName, providerNames } from '@handwise/contract/accounts/provider-names';
import { getSafeRedirect } from '../../lib/session/redirect.ts';

/** What a provider sent back with the browser, or why there is nothing to finish. */
export type ProviderAnswer = { target: string } & (
  | { provider: ProviderName; state: string; code: string; iss: string | null; name: string | null }
  | { provider: ProviderName | null; error: string }
);

const isProvider = (name: string | null): name is ProviderName => name !== null && Object.hasOwn(providerNames, name);

/** Reads the fragment of the address that our callback led to. */
export function readProviderAnswer(hash: string): ProviderAnswer {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  const [provider, error, state, code] = [values.get('provider'), values.get('error'), values.get('state'), values.get('code')];
  const target = getSafeRedirect(values.get('redirect'));
  // Nothing is left of an address that was read before, which somebody comes to by going back.
  if (!isProvider(provider)) return { provider: null, error: provider === null ? 'sign_in_over' : 'provider_unknown', target };
  if (error !== null || !state || !code) return { provider, error: error ?? 'sign_in_over', target };
  return { provider, state, code, iss: values.get('iss'), name: values.get('name'), target };
}

const words: Record<string, (name: string) => string> = {
  cancelled: (name) => `You did not continue with ${name}. Nothing was changed.`,
  provider_unknown: () => 'This address does not say whether Google or Apple sent you here. Nothing was changed. Please sign in again.',
  provider_unavailable: (name) => `${name} is not answering at the moment. Nothing was changed. Please try again, or sign in another way.`,
  provider_not_found: (name) => `Signing in with ${name} is not available here.`,
  too_many_requests: () => 'Too many attempts. Please wait a moment and try again.',
  sign_in_over: () => 'This sign-in took too long or has already been used. Please sign in again.',
};

const otherwise = 'This sign-in could not be confirmed. Nothing was changed. Please try again.';

/** What the page says of an error. */
export const formatProviderError = (error: string, provider: ProviderName | null): string =>
  (Object.hasOwn(words, error) ? words[error]?.(provider === null ? 'the provider' : providerNames[provider]) : undefined) ?? otherwise;
