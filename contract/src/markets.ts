// Without schemas, so that pages which need no others do not load their library: `country-code.ts`.

export type CountryCode = 'NZ' | 'AU';

/**
 * A market is a country with its money; `gstPercent` is included in every price. `timeZone` is the largest city's, for what
 * belongs to a country but to no region of it; a listing goes by its region's own (`places.ts`).
 */
export const markets = {
  NZ: { name: 'New Zealand', currency: 'NZD', locale: 'en-NZ', timeZone: 'Pacific/Auckland', gstPercent: 15 },
  AU: { name: 'Australia', currency: 'AUD', locale: 'en-AU', timeZone: 'Australia/Sydney', gstPercent: 10 },
} as const satisfies Record<CountryCode, { name: string; currency: string; locale: string; timeZone: string; gstPercent: number }>;

/** Host name → market, for hosts that neither `*.co.nz` nor `*.com` decides. */
export type MarketHosts = ReadonlyMap<string, CountryCode>;

/** The market that a host is fixed to, or null where visitors choose. `host` may carry a port. */
export function marketOfHost(host: string, hosts: MarketHosts): CountryCode | null {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  const configured = hosts.get(name);
  if (configured) return configured;
  if (name.endsWith('.co.nz')) return 'NZ';
  return name.endsWith('.com') ? 'AU' : null;
}
