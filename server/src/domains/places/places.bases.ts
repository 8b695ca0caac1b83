import { maxBases } from '@handwise/contract/listings/service-area';
import type { Locality } from './places.data.ts';
import { keyOfPlace } from './places.names.ts';

// Districts whose names are at hand. All of them would take three megabytes, and one is read in a millisecond or two.
const mostDistricts = 8;

/** Where listings can be based: the towns and suburbs of their districts, by names that are one place's alone within the district. */
export class Bases {
  readonly #ofDistrict = new Map<number, Locality[]>();
  readonly #atHand = new Map<number, ReadonlyMap<string, Locality>>();
  /** Those of which another one of the district has the name alone. */
  readonly #longNames = new Map<number, string>();

  constructor(localities: readonly Locality[]) {
    // The bigger first: where name and postcode are the same, it stands for both.
    for (const one of localities.toSorted((a, b) => b.addresses - a.addresses)) {
      const own = this.#ofDistrict.get(one.districtCode) ?? [];
      this.#ofDistrict.set(one.districtCode, own);
      own.push(one);
    }
    for (const own of this.#ofDistrict.values()) {
      const taken = new Set<string>();
      for (const one of own) {
        const keys = keysOf(one);
        if (taken.has(keys[0] ?? '')) this.#longNames.set(one.code, `${one.name} ${one.postcodes[0]}`);
        for (const key of keys) taken.add(key);
      }
    }
  }

  /** How a base is named within its district, so that `named` finds it again. */
  nameOf = ({ code, name }: Locality): string => this.#longNames.get(code) ?? name;

  /** The town or suburb of a district that a text names, alone or with its postcode, spelled so but for macrons and short forms. */
  named = (districtCode: number, text: string): Locality | undefined => this.#namesOf(districtCode).get(keyOfPlace(text));

  /** The names of a district's towns and suburbs that begin so, by the alphabet. */
  starting(districtCode: number, text: string): string[] {
    const key = keyOfPlace(text);
    const found = [...this.#namesOf(districtCode)].filter(([name]) => name.startsWith(key));
    return [...new Set(found.map(([, one]) => this.nameOf(one)))]
      .toSorted((one, other) => one.localeCompare(other, 'en-NZ'))
      .slice(0, maxBases);
  }

  #namesOf(districtCode: number): ReadonlyMap<string, Locality> {
    const known = this.#atHand.get(districtCode);
    if (known) return known;
    const names = new Map<string, Locality>();
    for (const one of this.#ofDistrict.get(districtCode) ?? []) for (const key of keysOf(one)) if (!names.has(key)) names.set(key, one);
    for (const oldest of this.#atHand.keys()) if (this.#atHand.size >= mostDistricts) this.#atHand.delete(oldest);
    this.#atHand.set(districtCode, names);
    return names;
  }
}

const keysOf = ({ name, postcodes }: Locality) => [keyOfPlace(name), ...postcodes.map((postcode) => keyOfPlace(`${name} ${postcode}`))];
