import { count, totalOfListings, formatTotal } from '@handwise/contract/numbers';
import { formatDistance } from './distance-words.ts';
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

/** "No one matches all of that yet. Here’s what comes close: without “tonight”, and all of Waikato instead of Hamilton." */
export const describeWidening = (widened: readonly string[]): string | null =>
  widened.length === 0 ? null : `No one matches all of that yet. Here’s what comes close: ${widened.join(', and ')}.`;

type Wish = { text: string; filter: string | null; isOffer: boolean; isFirst: boolean };

/** What became of wishes that are no filter: "“this weekend” is not something that listings say yet." Those that left nothing are named elsewhere. */
export function describeWishes({ wishes, widened }: { wishes: readonly Wish[]; widened: readonly string[] }): string | null {
  const unmet = widened.join(' ');
  const first = wishes.filter(({ isFirst }) => isFirst).map(({ text }) => `“${text}”`);
  const unsaid = wishes
    .filter(({ text, filter, isFirst }) => filter === null && !isFirst && !unmet.includes(text))
    .map(({ text }) => `“${text}”`);
  const sentences = [
    ...(first.length > 0 ? [`Any businesses that fit ${listed(first)} come first.`] : []),
    ...(unsaid.length > 0 ? [`${listed(unsaid)} ${unsaid.length > 1 ? 'are' : 'is'} not something that listings say yet.`] : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : null;
}

export type Why = {
  rank: 'featured' | 'premium' | 'basic';
  words: readonly ('title' | 'business' | 'services' | 'description' | 'category')[];
  level?: 'names' | 'mentions' | 'category' | undefined;
  distanceKm?: number | undefined;
};
type Section = 'match' | 'further' | 'related';

const fields = {
  title: 'its title',
  business: 'the business name',
  services: 'its services',
  description: 'its description',
  category: 'its category',
};
const levels = {
  names: 'It names what you need, so it comes before those that only mention it.',
  mentions: 'It mentions what you need, so it comes after those that name it.',
  category: 'It does this kind of work, but does not mention what you need.',
};
const sections = {
  further: 'It does what you need, but is further away than you asked for.',
  related: 'It does other work of the same kind.',
};
const orders = {
  recommended: 'Those that fit best come first, then by plan, distance and age.',
  rating: 'The list is in order of rating: the average, weighed against the number of reviews.',
  newest: 'The list is in order of publication, newest first.',
  nearest: 'The list is in order of distance.',
  price: 'The list is in order of the “from” price, whatever it is per; those without one come last.',
};

const listed = (parts: readonly string[]) => (parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`);

/** Explains a card's position in sentences: payment, matches, distance and order. */
export function listReasons(
  why: Why,
  { sort, paidPlacement, section = 'match' }: { sort: FindParams['sort']; paidPlacement: boolean; section?: Section },
): string[] {
  const order = (sort ?? 'recommended') as keyof typeof orders;
  const plan = { featured: 'Featured', premium: 'Highlighted', basic: '' }[why.rank];
  const bought = order === 'recommended' ? plan !== '' : paidPlacement;
  return [
    ...(section === 'match' ? (why.level ? [levels[why.level]] : []) : [sections[section]]),
    bought
      ? `It is ${plan}: the business pays for a plan that comes before others that fit as well.`
      : plan
        ? `It is ${plan}, which does not count in this order.`
        : 'Nobody paid for a higher position.',
    ...(why.words.length > 0 ? [`Your words are in ${listed(why.words.map((field) => fields[field]))}.`] : []),
    ...(why.distanceKm === undefined ? [] : [`It is based ${formatDistance(why.distanceKm)}.`]),
    orders[order],
  ];
}
