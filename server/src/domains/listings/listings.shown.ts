import type { MainCategory } from '@handwise/contract/categories';
import type { CountryCode } from '@handwise/contract/markets';

/** Where an active listing stands, as the triggers tell it: null for a sub-category that it does not name. */
type ListPlace = readonly [
  country: CountryCode,
  region: number,
  district: number,
  baseCell: number,
  main: MainCategory,
  group: number,
  sub: number | null,
];

/** What of a listing changed (a sum of `whatChanged`), and where it stood and stands; null where it was or is not on the site. */
export type ListChange = readonly [what: number, was: ListPlace | null, now: ListPlace | null];

const whatChanged = { order: 1, evidence: 2, words: 4 };

/** A place and a category that a list is narrowed to; without either, all of them. */
export type ListOf = {
  place?: { level: 'country'; country: CountryCode } | { level: 'region' | 'district' | 'town'; code: number };
  category?: { level: 'main'; main: MainCategory } | { level: 'group'; code: number } | { level: 'sub'; codes: readonly number[] };
};

/** What changes with any listing, whatever of it changes. */
export const anyListing = 'any listing';
/** What changes with the words of any listing that is found, or with which are found. */
export const anyWords = 'any words';

const names = {
  order: (place: string, category: string) => `order of ${place} ${category}`,
  evidence: (place: string, category: string) => `evidence of ${place} ${category}`,
};

function namesOf(kind: keyof typeof names, { place, category }: ListOf): string[] {
  const where = !place ? '' : place.level === 'country' ? place.country : `${place.level} ${place.code}`;
  const what = !category
    ? ['']
    : category.level === 'main'
      ? [category.main]
      : category.level === 'group'
        ? [`group ${category.code}`]
        : category.codes.map((code) => `sub ${code}`);
  return what.map((one) => names[kind](where, one));
}

/** What a list shows in its own order: who stands in it, how many there are, who stands before whom. */
export const orderOf = (list: ListOf) => namesOf('order', list);
/** The same, and what its listings are filtered and otherwise ordered by. */
export const evidenceOfList = (list: ListOf) => namesOf('evidence', list);

/** Everything that a change of lists changes, by the names that answers give to what they show. */
export function* changedBy(changes: readonly ListChange[]): Iterable<string> {
  for (const [what, was, now] of changes) {
    if (what & (whatChanged.order | whatChanged.words)) yield anyWords;
    if (!(what & (whatChanged.order | whatChanged.evidence))) continue;
    for (const place of was === null || now === null || String(was) !== String(now) ? [was, now] : [now]) {
      if (place) yield* listsWith(place, Boolean(what & whatChanged.order));
    }
  }
}

// Every list that a listing stands in. Each order shows who stands in it, so what changes that changes all.
function* listsWith([country, region, district, baseCell, main, group, sub]: ListPlace, isMoved: boolean): Iterable<string> {
  for (const place of ['', country, `region ${region}`, `district ${district}`, `town ${baseCell}`]) {
    for (const category of ['', main, `group ${group}`, ...(sub === null ? [] : [`sub ${sub}`])]) {
      if (isMoved) yield names.order(place, category);
      yield names.evidence(place, category);
    }
  }
}
