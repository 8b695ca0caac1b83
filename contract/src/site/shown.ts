import { site } from '@handwise/contract/site/site';
import type { SiteSettings } from './settings.ts';

const names = [
  'name',
  'supportEmail',
  'basicPrice',
  'basicSlots',
  'premiumPrice',
  'premiumSlots',
  'featuredPrice',
  'featuredSlots',
] as const satisfies (keyof SiteSettings)[];

/** What the texts of scripts name. */
export type ShownSite = Pick<SiteSettings, (typeof names)[number]>;

/** What a page says to its scripts about the site (`site.browser.ts`). */
export const formatShownSite = (): string => JSON.stringify(site, [...names]);
