import { maxBases } from '@handwise/contract/listings/service-area';
import { type Point, kmBetween } from '@handwise/contract/places/distance';
import { type Locality, readLocalities } from './places.data.ts';
import { toPlaceKey } from './places.data.ts';
import { NameIndex } from './places.index.ts';

// Cached districts: all would take three megabytes, and building one takes a millisecond or two.
const maxCachedDistricts = 8;

/** The towns and suburbs where listings can be based, by names that are unique within a district. */
class Bases {
  readonly #byDistrict = new Map<number, Locality[]>();
  readonly #nameCache = new Map<number, ReadonlyMap<string, Locality>>();
  /** Names with postcode, by code, of localities whose plain name belongs to a bigger one of the district. */
  readonly #longNames = new Map<number, string>();

  constructor(localities: readonly Locality[]) {
    // Bigger ones first: they win when name and postcode are the same.
    for (const one of localities.toSorted((a, b) => b.addresses - a.addresses)) {
      const own = this.#byDistrict.get(one.districtCode) ?? [];
      this.#byDistrict.set(one.districtCode, own);
      own.push(one);
    }
    for (const own of this.#byDistrict.values()) {
      const taken = new Set<string>();
      for (const one of own) {
        const keys = listKeys(one);
        if (taken.has(keys[0] ?? '')) this.#longNames.set(one.code, `${one.name} ${one.postcodes[0]}`);
        for (const key of keys) taken.add(key);
      }
    }
  }

  /** The unique name of a base within its district, which `find` accepts. */
  nameOf = ({ code, name }: Locality): string => this.#longNames.get(code) ?? name;

  /** Finds a town or suburb of a district by name, optionally with its postcode, ignoring macrons and abbreviations. */
  find = (districtCode: number, text: string): Locality | undefined => this.#namesOf(districtCode).get(toPlaceKey(text));

  /** Names of a district's towns and suburbs with a prefix, in alphabetical order. */
  listNames(districtCode: number, text: string): string[] {
    const key = toPlaceKey(text);
    const found = [...this.#namesOf(districtCode)].filter(([name]) => name.startsWith(key));
    return [...new Set(found.map(([, one]) => this.nameOf(one)))]
      .toSorted((one, other) => one.localeCompare(other, 'en-NZ'))
      .slice(0, maxBases);
  }

  #namesOf(districtCode: number): ReadonlyMap<string, Locality> {
    const known = this.#nameCache.get(districtCode);
    if (known) return known;
    const names = new Map<string, Locality>();
    for (const one of this.#byDistrict.get(districtCode) ?? []) for (const key of listKeys(one)) if (!names.has(key)) names.set(key, one);
    for (const oldest of this.#nameCache.keys()) if (this.#nameCache.size >= maxCachedDistricts) this.#nameCache.delete(oldest);
    this.#nameCache.set(districtCode, names);
    return names;
  }
}

const listKeys = ({ name, postcodes }: Locality) => [toPlaceKey(name), ...postcodes.map((postcode) => toPlaceKey(`${name} ${postcode}`))];

export type Nearby = { locality: Locality; km: number };

const radians = Math.PI / 180;

function toVector({ latitude, longitude }: Point): [number, number, number] {
  const around = Math.cos(latitude * radians);
  return [around * Math.cos(longitude * radians), around * Math.sin(longitude * radians), Math.sin(latitude * radians)];
}

/**
 * Finds the nearest localities by scanning all. Positions are vectors on the unit sphere: the chord grows with the distance, costs three
 * products and needs no special case at 180°. A scan of 17,000 takes 0.1 ms.
 */
class NearestLocalities {
  readonly #localities: readonly Locality[];
  readonly #vectors: Float64Array;

  constructor(localities: readonly Locality[]) {
    this.#localities = localities;
    this.#vectors = Float64Array.from(localities.flatMap(toVector));
  }

  /** The `count` localities nearest to a point that satisfy `fits`, nearest first. */
  nearest(point: Point, count: number, fits: (locality: Locality) => boolean = () => true): Nearby[] {
    const [x, y, z] = toVector(point);
    const best: { at: number; gap: number }[] = [];
    let widest = Infinity;
    for (let at = 0; at < this.#localities.length; at += 1) {
      const dx = (this.#vectors[at * 3] ?? 0) - x;
      const dy = (this.#vectors[at * 3 + 1] ?? 0) - y;
      const dz = (this.#vectors[at * 3 + 2] ?? 0) - z;
      const gap = dx * dx + dy * dy + dz * dz;
      const locality = this.#localities[at];
      if (gap >= widest || !locality || !fits(locality)) continue;
      const place = best.findIndex((one) => one.gap > gap);
      best.splice(place < 0 ? best.length : place, 0, { at, gap });
      if (best.length > count) best.pop();
      if (best.length === count) widest = best.at(-1)?.gap ?? Infinity;
    }
    return best.flatMap(({ at }) => {
      const locality = this.#localities[at];
      return locality ? [{ locality, km: kmBetween(point, locality) }] : [];
    });
  }
}

/** Builds the lookups over the localities of a file. Retired ones are found by their code only. */
export function buildPlaceIndexes(text: string) {
  const all = readLocalities(text);
  const localities = all.filter((one) => !one.isRetired);
  return {
    localities,
    /** Including retired ones. */
    all,
    index: new NameIndex(localities),
    nearestLocalities: new NearestLocalities(localities),
    bases: new Bases(localities),
    byCode: createFinder(
      all.toSorted((a, b) => a.code - b.code),
      (one, code: number) => one.code - code,
    ),
    bySlug: createFinder(localities.toSorted(compareAddresses), compareAddresses),
    mainTowns: new Map<number, Locality>(),
  };
}

type Address = Pick<Locality, 'regionCode' | 'slug'>;
const compareAddresses = (a: Address, b: Address) => a.regionCode - b.regionCode || (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0);

/** Binary search, because a map of 17,000 entries would take a megabyte. */
function createFinder<Key>(ordered: readonly Locality[], compare: (one: Locality, key: Key) => number) {
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
