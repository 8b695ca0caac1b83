import { site } from '@handwise/contract/site/site';
import type { Site } from './site.ts';

const names = [
  'name',
  'supportEmail',
  'basicPrice',
  'basicSlots',
  'premiumPrice',
  'premiumSlots',
  'featuredPrice',
  'featuredSlots',
  'drawPrize',
  'drawOpening',
  'closedCountries',
  'closedTrades',
  'hiddenTrades',
] as const satisfies (keyof Site)[];

/** What the texts of scripts name. */
export type ShownSite = Pick<Site, (typeof names)[number]>;

/** What a page says to its scripts about the site (`site.browser.ts`). */
export const formatShownSite = (): string => JSON.stringify(site, [...names]);
