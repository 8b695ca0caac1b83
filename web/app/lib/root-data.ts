import type { ProviderName } from '@handwise/contract/accounts/provider-names';
import type { MainCategory } from '@handwise/contract/listings/categories';
import type { CountryCode } from '@handwise/contract/markets';
import { useRouteLoaderData } from 'react-router';

export type RootData = {
  origin: string;
  /** The country that the host is fixed to, or null if visitors choose. */
  market: CountryCode | null;
  sandbox: boolean;
  realPayments: boolean;
  relayed: boolean;
  /** The identity providers that are set up. */
  signInWith: readonly ProviderName[];
  /** Who runs the site: `formatOperator`. */
  operator: string;
  categories: readonly { name: string; slug: string; mainCategory: MainCategory }[];
};

const nothing: RootData = {
  origin: '',
  market: null,
  sandbox: false,
  realPayments: false,
  relayed: false,
  signInWith: [],
  operator: '',
  categories: [],
};

/** The root loader's data. */
export const useRootData = (): RootData => useRouteLoaderData('root') ?? nothing;

/** What a page declares to the server, exported as `handle`. */
export type PageHandle = {
  /** The query parameters that its HTML depends on. The server passes no others, because they share one cached HTML. */
  reads?: readonly string[];
  /** Those with unbounded values, such as typed words, for which the page is not cached. */
  endless?: readonly string[];
};
