import type { Locality } from './places.data.ts';
import { keyOfPlace } from './places.names.ts';

const most = 50;

/** Where listings can be based: the towns and suburbs of their districts, by names that are one place's alone within the district. */
export class Bases {
  readonly #byDistrict = new Map<number, Map<string, Locality>>();
  readonly #names = new Map<number, string>();

  constructor(localities: readonly Locality[]) {
    // The bigger first: where name and postcode are the same, it stands for both.
    for (const one of localities.toSorted((a, b) => b.addresses - a.addresses)) {
      const known = this.#byDistrict.get(one.districtCode) ?? new Map<string, Locality>();
      this.#byDistrict.set(one.districtCode, known);
      const isShared = known.has(keyOfPlace(one.name));
      for (const key of [keyOfPlace(one.name), ...one.postcodes.map((postcode) => keyOfPlace(`${one.name} ${postcode}`))]) {
        if (!known.has(key)) known.set(key, one);
      }
      this.#names.set(one.code, isShared ? `${one.name} ${one.postcodes[0]}` : one.name);
    }
  }

  /** How a base is named within its district, so that `named` finds it again. */
  nameOf = (code: number): string | undefined => this.#names.get(code);

  /** The town or suburb of a district that a text names, alone or with its postcode, spelled so but for macrons and short forms. */
  named = (districtCode: number, text: string): Locality | undefined => this.#byDistrict.get(districtCode)?.get(keyOfPlace(text));

  /** The names of a district's towns and suburbs that begin so, by the alphabet. */
  starting(districtCode: number, text: string): string[] {
    const key = keyOfPlace(text);
    const found = [...(this.#byDistrict.get(districtCode) ?? [])].filter(([name]) => name.startsWith(key));
    return [...new Set(found.map(([, { code }]) => this.#names.get(code) ?? ''))]
      .toSorted((one, other) => one.localeCompare(other, 'en-NZ'))
      .slice(0, most);
  }
}
