import type { PriceUnit } from '@handwise/contract/facts/prices';
import { count } from '@handwise/contract/numbers';
import type { MapPin } from '@handwise/contract/search/places';
import { formatRating } from '../../../lib/format.ts';

const units: Record<PriceUnit, string> = { hour: '/h', visit: '/visit', job: '', day: '/day', room: '/room', square_metre: '/m²' };

type Priced = Pick<MapPin['listings'][number], 'averageRating' | 'priceFrom' | 'priceUnit'>;

/** What a pin shows: "$95/h", the best rating of several or of one without a price, "★ 4.8"; empty if neither is known. */
export function getPinValue(listings: readonly Priced[]): string {
  const [first] = listings;
  if (listings.length === 1 && first && first.priceFrom !== null && first.priceUnit !== null)
    return `$${count(Math.round(first.priceFrom / 100))}${units[first.priceUnit]}`;
  const best = Math.max(...listings.map(({ averageRating }) => averageRating ?? 0));
  return best > 0 ? `★ ${formatRating(best)}` : '';
}
