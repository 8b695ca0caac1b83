import type { MarketHosts } from '@handwise/contract/markets';
import type { SiteSettings } from '@handwise/contract/site/settings';
import type { Context } from '../../kit/context.ts';

export type DocumentContext = Context & {
  /** The hosts of single markets, which have an `llms.txt` of their own. */
  marketHosts: MarketHosts;
};

/** The first values, from the environment, and whether real people use the site. */
type FirstSettings = { settings: SiteSettings; isReal: boolean };
export type SettingsContext = Context & { firstSettings: FirstSettings };
