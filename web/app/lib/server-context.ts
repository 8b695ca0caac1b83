import type { ProviderName } from '@handwise/contract/accounts/provider-names';
import type { CallAddress, InputOf, OutputOf } from '@handwise/contract/calls';
import type { CountryCode } from '@handwise/contract/markets';
import { createContext } from 'react-router';

/** Calls the API in the same process, as a visitor. Throws an error with `status` and `code` unless the response is 2xx. */
type ApiCall = <A extends CallAddress>(address: A, input: InputOf<A>) => Promise<OutputOf<A>>;

/** The server's context for loaders. It does not depend on the user, because the HTML is cached for everyone. */
export type ServerContext = {
  call: ApiCall;
  /** The market that the host is fixed to, or null if visitors choose. */
  market: CountryCode | null;
  /** Scheme and host of the site, without a trailing slash. */
  origin: string;
  sandbox: boolean;
  /** Whether the real provider charges cards. */
  realPayments: boolean;
  /** Whether replies by email are relayed, so that neither side sees the other's address. */
  relayed: boolean;
  /** The identity providers that are set up. */
  signInWith: readonly ProviderName[];
};

export const serverContext = createContext<ServerContext>();
