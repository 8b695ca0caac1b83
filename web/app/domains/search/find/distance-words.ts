import type { SectionKey } from '@handwise/contract/search/sections';
import { formatRating } from '../../../lib/format.ts';

/** "3.2 km away", with one decimal below 10 km: distances are between centres of places, so metres would be false precision. */
export function formatDistance(km: number) {
  if (km < 1) return 'under 1 km away';
  return `${km < 9.95 ? formatRating(km) : Math.round(km)} km away`;
}

/** Whether a match is beyond the radius, so that it is one because it travels. */
export const travelsThere = (distanceKm: number, section: SectionKey | undefined, km: number | undefined) =>
  section === 'match' && km !== undefined && distanceKm > km;
