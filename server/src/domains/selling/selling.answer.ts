import type { Listing } from '@handwise/contract/listings/calls';
import type { Context } from '../../kit/context.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import { getListing } from '../listings/listings.service.ts';
import { newestReviews } from '../reviews/reviews.service.ts';

/** Own changes are told at once, so that whoever made them finds them in the next search. Others hear of it by the database. */
export const tell = ({ events }: Context, ids: readonly string[] | 'many') => events.emit('listings', ids);

/** One's own listing in full. */
export const showOwn = ({ db }: Context, id: string, viewer: Viewer): Promise<Listing> => getListing(db, id, viewer, newestReviews);
