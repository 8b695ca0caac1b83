import type { Call, CallInput, CallOutput } from '@handwise/contract/call';
import type { CountryCode } from '@handwise/contract/markets';
import { createContext } from 'react-router';

/** Calls the API in the same process, as a visitor. Throws an error with `status` and `code` where the API does not answer 2xx. */
type ApiCall = <C extends Call>(call: C, input: CallInput<C>) => Promise<CallOutput<C>>;

/** What the server hands to every loader. Nothing of it depends on who is asking, because the HTML is kept for all. */
export type ServerContext = {
  call: ApiCall;
  /** The market that the host is fixed to, or null where visitors choose. */
  market: CountryCode | null;
  /** Scheme and host of the site, without a slash at the end. */
  origin: string;
  sandbox: boolean;
  /** Whether cards are charged by the provider itself. */
  realPayments: boolean;
  /** Whether answers by mail come through us, and nobody sees the other's address. */
  relayed: boolean;
};

export const serverContext = createContext<ServerContext>();
