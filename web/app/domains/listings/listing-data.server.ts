import type { Listing } from '@handwise/contract/listings/calls';
import type { ServerContext } from '../../lib/server-context.ts';
import { type CardView, toCardView } from './card-view.ts';

const shownRelated = 4;

type Answer = { status?: number; code?: string };

/** A listing, null if it never existed, or 'gone' if it has ended or is inactive. */
export async function findListing({ call }: ServerContext, id: string): Promise<Listing | 'gone' | null> {
  try {
    return await call('GET /listing/:id', { params: { id } });
  } catch (error) {
    const { status = 500, code } = error as Answer;
    if (code === 'listing_gone') return 'gone';
    // An invalid id is treated like an unknown one.
    if (status === 404 || status === 400) return null;
    throw error;
  }
}

/** Others of the same category and region. None if this site does not show that region. */
export async function listRelated({ call }: ServerContext, listing: Listing): Promise<CardView[]> {
  const query = { category: listing.serviceCategory, country: listing.country, region: listing.region, limit: String(shownRelated + 1) };
  try {
    const { listings } = await call('GET /listing/all', { query });
    return listings
      .filter((one) => one._id !== listing._id)
      .slice(0, shownRelated)
      .map(toCardView);
  } catch (error) {
    if ((error as Answer).status === 400) return [];
    throw error;
  }
}
