import { type CountryCode, markets } from '@handwise/contract/markets';
import { type Suggestion, maxSuggestions } from '@handwise/contract/search/suggest';
import { placesStarting } from '../../places/places.service.ts';
import type { SearchParts } from '../search.parts.ts';
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

// Beside what is needed, of places only those that a list is narrowed to by themselves.
const areasStarting = (start: string, market: CountryCode | null) =>
  (start.length < fewestLetters ? [] : placesStarting(start, market, maxSuggestions))
    .filter(({ kind }) => kind === 'region' || kind === 'district')
    .map(placeSuggestion);

/**
 * What a text that is begun so may mean: of what is needed, or without it of a place. In a market (null: in all) its places and its
 * businesses only.
 */
export async function suggestions(
  { index }: SearchParts,
  { q = '', where = '' }: { q?: string | undefined; where?: string | undefined },
  market: CountryCode | null,
): Promise<Suggestion[]> {
  if (!q) return placesStarting(where, market, maxSuggestions).map(placeSuggestion);
  const start = startOf(q);
  if (!start) return [];
  const countries = market ? [market] : allCountries;
  const [businesses, titles] = await Promise.all([
    index.suggest('business', start, countries, maxSuggestions),
    index.suggest('listing', start, countries, maxSuggestions),
  ]);
  return arranged({
    category: categoriesStarting(start, where),
    business: businesses.map((one) => businessSuggestion(one, where)),
    listing: titles.map((one) => titleSuggestion(one, where)),
    place: where ? [] : areasStarting(start, market),
  });
}
