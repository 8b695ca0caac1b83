import type { ListChange } from './domains/listings/listings.service.ts';
import './kit/events/events.ts';

/** What servers tell each other beside what the kit itself does. The kit carries it and knows no domain. */
declare module './kit/events/events.ts' {
  interface Channels {
    /** The ids of listings that changed: told by the triggers on listings. */
    listings: readonly string[];
    /** Where listings that changed were and are listed: published by the same triggers. */
    lists: readonly ListChange[];
    /** The id of a draw, or of a pick of one, that changed. */
    draws: string;
  }
}
