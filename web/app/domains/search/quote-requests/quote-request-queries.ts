import { findCategory } from '@handwise/contract/listings/categories';
import { formatAvailability } from '@handwise/contract/listings/availability';
import type { CountryCode } from '@handwise/contract/markets';
import type { FindQuery } from '@handwise/contract/search/calls';
import { formatBase } from '@handwise/contract/text';
import type { SectionKey } from '@handwise/contract/search/sections';
import { formatDistance, travelsThere } from '../find/distance-words.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { call } from '../../../lib/api.ts';

/** The number of characters that a search reads of a description. */
const longestText = 120;
const suggestedAtMost = 6;
/** With fewer exact matches, businesses of the same group are suggested too. */
const enough = 3;

const find = (query: FindQuery, signal: AbortSignal) => call('GET /search', { query }, signal);

/** The beginning of a text that a search accepts, cut between words. */
export function getSearchedPlace(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= longestText) return line;
  const cut = line.slice(0, longestText + 1);
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), 0) || longestText);
}

/** The country of the browser, where the site does not say it: of two places of one name, the one there is meant. */
type Country = CountryCode | null;
const within = (country: Country) => (country ? { country } : {});

/** A description as the search understands it; null if it names no kind of job. */
export async function understandJob(job: string, signal: AbortSignal, country: Country = null) {
  const { understood } = await find({ q: getSearchedPlace(job), ...within(country), limit: 1 }, signal);
  const group = findCategory(understood.category ?? '');
  if (!group) return null;
  // A country by itself is no place for a job.
  const place = understood.area?.region ? (understood.place ?? '') : '';
  return { category: group.name, subCategory: understood.subCategory ?? '', place };
}

type Wanted = { category: string; subCategory: string; place: string };

/** Businesses of the same name at different places are different. */
const isSame = (one: Business, other: Business) => one.businessTitle === other.businessTitle && one.location === other.location;
type Business = { businessTitle: string; location: string };

/** "3.2 km away · Onehunga, Auckland": where a business is based, and how far that is from a place within whose radius it is or which it travels to. */
function describeDistance(
  place: string,
  { distanceKm, section }: { distanceKm?: number | undefined; section?: SectionKey | undefined },
  km: number | undefined,
): string {
  if (distanceKm === undefined) return place;
  return `${formatDistance(distanceKm)}${travelsThere(distanceKm, section, km) ? ', travels to you' : ''} · ${place}`;
}

/** Suggests businesses for a job at a place, in the recommended order, each once. */
export async function suggestPros({ category, subCategory, place }: Wanted, signal: AbortSignal, country: Country = null) {
  const findIn = (sub: string | undefined) =>
    find({ category, subCategory: sub, where: place, ...within(country), limit: suggestedAtMost * 2 }, signal);
  try {
    const exact = await findIn(subCategory || undefined);
    const wider = subCategory && exact.listings.length < enough ? await findIn(undefined) : null;
    const cards = [...exact.listings, ...(wider?.listings ?? [])];
    const pros = cards.filter((card, at) => cards.findIndex((one) => isSame(one, card)) === at);
    return {
      place: exact.understood.place,
      pros: pros.slice(0, suggestedAtMost).map((card) => ({
        listingId: card._id,
        name: card.businessTitle,
        title: card.serviceTitle.trim() || 'Untitled Listing',
        average: card.averageRating,
        reviews: card.reviewCount,
        place: describeDistance(formatBase(card), card, exact.understood.near?.km),
        availability: card.availability && formatAvailability(card.availability),
        logo: card.logo,
        color: card.logoColor,
      })),
    };
  } catch (error) {
    if (error instanceof ApiError && error.fieldErrors.some(({ field }) => field === 'where')) return 'unknown-place';
    throw error;
  }
}
