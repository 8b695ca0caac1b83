import type { FindPage } from '@handwise/contract/search/calls';
import { toCardView } from '../../listings/card-view.ts';
import { getAlertSearch } from '../alerts/alert-search.ts';
import type { FindParams } from './find-params.ts';
import { travelsThere } from './distance-words.ts';

/** The data of a search page: from the server's loader, and for members on /home from the browser's call. */
export const createFindData = (params: FindParams, found: FindPage, unknown: string | null = null) => ({
  params,
  /** A requested place that is unknown. */
  unknown,
  alert: unknown ? null : getAlertSearch(params),
  understood: found.understood,
  /** A sentence if the search took too long, so that parts are missing: what is unknown is null. */
  notice: found.notice,
  total: found.totalListings,
  isExact: found.totalIsExact,
  page: found.currentPage,
  totalPages: found.totalPages,
  cards: found.listings.map((listing) => ({
    ...toCardView(listing),
    distanceKm: listing.distanceKm,
    ...(listing.distanceKm !== undefined &&
      travelsThere(listing.distanceKm, listing.section, found.understood.near?.km) && { travels: true }),
    paidPlacement: listing.paidPlacement,
    why: listing.why,
    section: listing.section,
  })),
  sections: found.sections,
  alternatives: found.alternatives,
  facets: found.facets,
});
export type FindData = ReturnType<typeof createFindData>;
