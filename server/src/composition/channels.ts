import type { ListChange } from '../domains/listings/listings.service.ts';
import '../kit/events/events.ts';

/** The channels of the domains' changes. The kit publishes them without knowing the domains. */
declare module '../kit/events/events.ts' {
  interface Channels {
    /** The ids of changed listings, published by triggers. */
    listings: readonly string[];
    /** The lists that changed listings were and are in, published by the same triggers. */
    lists: readonly ListChange[];
    /** The id of a changed draw or pick. */
    draws: string;
    /** The version of the site's settings that a server has stored. */
    settings: number;
    /** This server has read the settings of the site again. */
    site: null;
    /** When the asking prices were computed. */
    costs: string;
  }
}
