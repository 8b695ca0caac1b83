import type { MainCategory } from '@handwise/contract/listings/categories';
import type { CountryCode } from '@handwise/contract/markets';
import { type CachePolicy, maxCacheSeconds } from '../../kit/cache/response-cache.ts';

/** The lists that an active listing is in, as the trigger publishes them. The sub-category may be null. */
type ListPlace = readonly [country: CountryCode, region: number, district: number, main: MainCategory, group: number, sub: number | null];

/** The lists that a changed listing was and is in; null if it was or is not on the site. */
export type ListChange = readonly [was: ListPlace | null, now: ListPlace | null];

/** The place and category of a list; without them, the list has all. */
export type ListOf = {
  place?: { level: 'country'; country: CountryCode } | { level: 'region' | 'district'; code: number };
  category?: { level: 'main'; main: MainCategory } | { level: 'group'; code: number } | { level: 'sub'; codes: readonly number[] };
};

/** The cache tag of responses that depend on all listings. */
export const anyListingTag = 'any listing';

const formatTag = (place: string, category: string) => `list of ${place} ${category}`;

/** The cache tags of a list. */
export function listCacheTags({ place, category }: ListOf): string[] {
  const where = !place ? '' : place.level === 'country' ? place.country : `${place.level} ${place.code}`;
  const what = !category
    ? ['']
    : category.level === 'main'
      ? [category.main]
      : category.level === 'group'
        ? [`group ${category.code}`]
        : category.codes.map((code) => `sub ${code}`);
  return what.map((one) => formatTag(where, one));
}

/** The cache tags of all lists that these changes affect. */
export function* listChangedTags(changes: readonly ListChange[]): Iterable<string> {
  for (const [was, now] of changes)
    for (const listed of was === null || now === null || String(was) !== String(now) ? [was, now] : [now])
      if (listed) yield* listTagsOf(listed);
}

function* listTagsOf([country, region, district, main, group, sub]: ListPlace): Iterable<string> {
  for (const place of ['', country, `region ${region}`, `district ${district}`]) {
    for (const category of ['', main, `group ${group}`, ...(sub === null ? [] : [`sub ${sub}`])]) yield formatTag(place, category);
  }
}

const quarterHourMs = 900_000;

/**
 * Ends a policy at the next quarter of an hour if its response says who is available: that changes at midnight in the listing's region, which
 * is a quarter of an hour in every time zone.
 */
export function limitToAvailability(policy: CachePolicy, isShown: boolean, now = Date.now()): CachePolicy {
  const left = (quarterHourMs - (now % quarterHourMs)) / 1000;
  return isShown ? { ...policy, maxAgeSeconds: Math.min(policy.maxAgeSeconds, left) } : policy;
}

/** The policy of a listing in full. */
export const getListingCachePolicy = ({ _id, availability }: { _id: string; availability: unknown }): CachePolicy =>
  limitToAvailability({ tags: [_id], maxAgeSeconds: maxCacheSeconds }, availability !== null);
