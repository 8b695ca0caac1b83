import { type CountryCode, markets } from '@handwise/contract/markets';
import { type Suggestion, maxSuggestions } from '@handwise/contract/search-suggest';
import type { Db } from '../../../kit/database/database.ts';
import type { Remembered } from '../../../kit/remembered.ts';
import { anyWords } from '../../listings/listings.service.ts';
import { placesStarting } from '../../places/places.service.ts';
import { namesStarting } from './search.suggest.queries.ts';
import {
  arranged,
  businessSuggestion,
  categoriesStarting,
  fewestLetters,
  placeSuggestion,
  startOf,
  titleSuggestion,
} from './search.suggest.rules.ts';

const allCountries = Object.keys(markets) as CountryCode[];

// Beside what is needed, of places only those that a list can be narrowed to by itself.
const regionsStarting = (start: string, market: CountryCode | null) =>
  (start.length < fewestLetters ? [] : placesStarting(start, market, maxSuggestions))
    .filter(({ kind }) => kind === 'region' || kind === 'district')
    .map(placeSuggestion);

type Typed = { q?: string | undefined; where?: string | undefined };

/**
 * What somebody may mean who has typed so much: of what is needed, or where nothing stands there of a place. In a market (null: in
 * all) its places and its businesses only.
 */
export async function suggestions(
  db: Db,
  remembered: Remembered<Suggestion[]>,
  { q = '', where = '' }: Typed,
  market: CountryCode | null,
): Promise<Suggestion[]> {
  const start = startOf(q);
  if (!q) return placesStarting(where, market, maxSuggestions).map(placeSuggestion);
  return remembered.get(JSON.stringify([market, start, where]), () => suggestWhat(db, start, where, market), [anyWords]);
}

async function suggestWhat(db: Db, start: string, where: string, market: CountryCode | null): Promise<Suggestion[]> {
  const countries = market ? [market] : allCountries;
  const named = async <Kind extends 'business' | 'listing'>(kind: Kind) =>
    start.length < fewestLetters ? [] : namesStarting(db, kind, start, countries, maxSuggestions);
  const [businesses, titles] = await Promise.all([named('business'), named('listing')]);
  return arranged({
    category: categoriesStarting(start, where),
    business: businesses.map((row) => businessSuggestion(row, where)),
    listing: titles.map((row) => titleSuggestion(row, where)),
    place: where ? [] : regionsStarting(start, market),
  });
}
