import { Bases } from './places.bases.ts';
import { type Locality, readLocalities } from './places.data.ts';
import { NameIndex } from './places.index.ts';
import { Nearness } from './places.near.ts';

/** The places of a file, by all that they are asked for. What is gone is known by its code and found by nothing else. */
export function loadPlaces(text: string) {
  const all = readLocalities(text);
  const localities = all.filter((one) => !one.isGone);
  return {
    localities,
    /** And what is gone. */
    all,
    index: new NameIndex(localities),
    nearness: new Nearness(localities),
    bases: new Bases(localities),
    byCode: finder(
      all.toSorted((a, b) => a.code - b.code),
      (one, code: number) => one.code - code,
    ),
    bySlug: finder(localities.toSorted(byAddress), byAddress),
    mainTowns: new Map<number, Locality>(),
  };
}

type Address = Pick<Locality, 'regionCode' | 'slug'>;
const byAddress = (a: Address, b: Address) => a.regionCode - b.regionCode || (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0);

/** Finds one of many that are in order: 15 steps, where a map of 17,000 would take a megabyte. */
function finder<Key>(ordered: readonly Locality[], compare: (one: Locality, key: Key) => number) {
  return (key: Key): Locality | undefined => {
    let [low, high] = [0, ordered.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const one = ordered[middle];
      const side = one ? compare(one, key) : 0;
      if (side === 0) return one;
      if (side < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  };
}
