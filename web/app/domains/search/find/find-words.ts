import { count, totalOfListings, formatTotal } from '@handwise/contract/numbers';
import { formatRating } from '../../../lib/format.ts';
import type { FindParams } from './find-params.ts';

type Read = { category: string | null; subCategory: string | null; place: string | null; words: string };

/** "Plumbing in Hamilton", "“heat pump” in Electrical & Gas, Tauranga": the heading and title of a search. */
export function findHeading({ category, subCategory, place, words }: Read): string {
  const what = [category, subCategory].filter(Boolean).join(': ');
  if (/^#\d+$/.test(words)) return `Listing ${words}`;
  if (!words) return `${what || 'All services'}${place ? ` in ${place}` : ''}`;
  const within = [what, place].filter(Boolean).join(', ');
  return `“${words}”${within && ` in ${within}`}`;
}

/** One sentence with the total. */
export const findIntro = (read: Read, total: number | null, isExact: boolean) =>
  total === 0
    ? `No listing for ${findHeading(read)} yet, and what comes close.`
    : `${totalOfListings(total, isExact)} for ${findHeading(read)}: compare prices, photos and reviews, and message them for free.`;

/** "20 of 1,000+ Active Listings", as the specification has it. */
export const countSentence = (shown: number, total: number, isExact: boolean) =>
  `${count(shown)} of ${formatTotal(total, isExact)} Active Listings`;

/** "24 listings" of an alternative, which is counted up to 1,000. */
export const totalOfAlternative = (total: number) => totalOfListings(total, total < 1_000);

/** Names a corrected typing error. */
export const describeCorrection = ({ corrected }: { corrected: string | null }) => (corrected ? `Searched for “${corrected}”.` : null);

/** "No exact match, so this is without “tonight”, and all of Waikato instead of Hamilton." */
export const describeWidening = (widened: readonly string[]): string | null =>
  widened.length === 0 ? null : `No exact match, so this is ${widened.join(', and ')}.`;

/** "3.2 km away", with one decimal below 10 km: distances are between centres of places, so metres would be false precision. */
export function formatDistance(km: number) {
  if (km < 1) return 'under 1 km away';
  return `${km < 9.95 ? formatRating(km) : Math.round(km)} km away`;
}

export type Why = {
  rank: 'featured' | 'premium' | 'basic';
  words: readonly ('title' | 'business' | 'services' | 'description' | 'category')[];
  distanceKm?: number | undefined;
};

const fields = {
  title: 'its title',
  business: 'the business name',
  services: 'its services',
  description: 'its description',
  category: 'its category',
};
const orders = {
  recommended: 'Within a plan, the best matches come first, or the nearest where you named a town or suburb, then the newest.',
  rating: 'The list is in order of rating: the average, weighed against the number of reviews.',
  newest: 'The list is in order of publication, newest first.',
  nearest: 'The list is in order of distance.',
};

const listed = (parts: readonly string[]) => (parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`);

/** Explains a card's position in sentences: payment, matches, distance and order. */
export function listReasons(why: Why, { sort, paidPlacement }: { sort: FindParams['sort']; paidPlacement: boolean }): string[] {
  const order = (sort ?? 'recommended') as keyof typeof orders;
  const plan = { featured: 'Featured', premium: 'Highlighted', basic: '' }[why.rank];
  const bought = order === 'recommended' ? plan !== '' : paidPlacement;
  return [
    bought
      ? `It is ${plan}: the business pays for a plan that comes before the others.`
      : plan
        ? `It is ${plan}, which does not count in this order.`
        : 'Nobody paid for a higher position.',
    ...(why.words.length > 0 ? [`Your words are in ${listed(why.words.map((field) => fields[field]))}.`] : []),
    ...(why.distanceKm === undefined ? [] : [`It is based ${formatDistance(why.distanceKm)}.`]),
    orders[order],
  ];
}
