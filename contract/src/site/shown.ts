import { site } from '@handwise/contract/site/site';

/** What a page says to its scripts about the site (`site.browser.ts`): what their texts name. */
export const formatShownSite = (): string => JSON.stringify({ name: site.name, supportEmail: site.supportEmail });
