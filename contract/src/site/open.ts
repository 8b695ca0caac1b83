import { site } from '@handwise/contract/site/site';
import { type CountryCode, markets } from '../markets.ts';
import { splitList } from '../text.ts';

/** Whether new listings of a main category are taken. Those that run stay as bought. */
export const isTradeOpen = (slug: string): boolean => !splitList(site.closedTrades).includes(slug);
export const isCountryOpen = (code: CountryCode): boolean => !splitList(site.closedCountries).includes(code);

/** Whether visitors are offered a main category or country: a closed one until its last listing has ended. */
export const isTradeShown = (slug: string): boolean => !splitList(site.hiddenTrades).includes(slug);
export const isCountryShown = (code: CountryCode): boolean => !splitList(site.hiddenCountries).includes(code);

/** Why a listing cannot be new here; undefined if it can. */
export function findClosedProblem({ slug, name, country }: { slug: string; name: string; country: CountryCode }): string | undefined {
  if (!isTradeOpen(slug)) return `We take no new listings in ${name} at the moment`;
  return isCountryOpen(country) ? undefined : `We take no new listings in ${markets[country].name} at the moment`;
}
