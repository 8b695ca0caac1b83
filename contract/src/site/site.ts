import { formatOpening } from '../draws/permits.ts';
import { planPromotion } from '../tickets/promotion-rules.ts';
import { defaultSite } from './default-site.ts';
import type { SiteSettings } from './settings.ts';

/**
 * `drawPrize` and `drawOpening`: what the draw that runs was announced with, and to whom it is open. `prize` and the permits are for the draws that follow. `hidden…`: those of the closed ones that have no live
 * listing.
 */
export type Site = SiteSettings & { drawPrize: string; drawOpening: string; hiddenCountries: string; hiddenTrades: string };

// One object for the whole process, because the built pages contain a copy of this module.
const holder = globalThis as { [key: symbol]: Site | undefined };
const key = Symbol.for('site');

/**
 * Whose site this is, as pages, emails and documents say it. Read it when a text is made, never at the top of a module: an administrator changes it
 * while the server runs. Browsers get `site.browser.ts` in its place.
 */
export const site: Readonly<Site> = (holder[key] ??= {
  ...defaultSite,
  drawPrize: defaultSite.prize,
  drawOpening: formatOpening(planPromotion(defaultSite)),
  hiddenCountries: '',
  hiddenTrades: '',
});

/** For whatever has read the settings, at the start of a process or a thread. */
export const setSite = (values: Partial<Site>): void => void Object.assign(site, values);
