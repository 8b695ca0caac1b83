// No schemas (see `country-code.ts`), so that public pages can import this without zod.

export type CountryCode = 'NZ' | 'AU';

/**
 * A country with its currency. Every price includes `gstPercent`. `timeZone` is the largest city's, for everything that has a country but
 * no region; listings use the time zone of their region.
 */
export const markets = {
  NZ: { name: 'New Zealand', currency: 'NZD', locale: 'en-NZ', timeZone: 'Pacific/Auckland', gstPercent: 15 },
  AU: { name: 'Australia', currency: 'AUD', locale: 'en-AU', timeZone: 'Australia/Sydney', gstPercent: 10 },
} as const satisfies Record<CountryCode, { name: string; currency: string; locale: string; timeZone: string; gstPercent: number }>;

/** The market of each host that is neither `*.co.nz` nor `*.com`. */
export type MarketHosts = ReadonlyMap<string, CountryCode>;

/** The market of a host, which may include a port; null if visitors choose. */
export function marketOfHost(host: string, hosts: MarketHosts): CountryCode | null {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  const configured = hosts.get(name);
  if (configured) return configured;
  if (name.endsWith('.co.nz')) return 'NZ';
  return name.endsWith('.com') ? 'AU' : null;
}
