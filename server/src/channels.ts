import type { ListChange } from './domains/listings/listings.service.ts';
import './kit/events/events.ts';

/** What servers tell each other beside what the kit itself does. The kit carries it and knows no domain. */
declare module './kit/events/events.ts' {
  interface Channels {
    /** The ids of listings that changed: told by the triggers on listings. */
    listings: readonly string[];
    /** In which lists listings that changed stood and stand, and what of them changed: told by triggers too. */
    lists: readonly ListChange[];
    /** Words of which more or fewer listings have become: told by them as well. */
    words: readonly string[];
    /** The id of a draw, or of a pick of one, that changed. */
    draws: string;
  }
}
