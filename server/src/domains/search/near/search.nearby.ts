import type { Db } from '../../../kit/database/database.ts';
import { findInPostings } from '../postings/finding.ts';
import { facetKey } from '../postings/keys.ts';
import type { AskedRings } from '../postings/query.ts';
import type { SearchMemory } from '../search.memory.ts';
import type { ListingFilter, Order } from '../search.rules.ts';
import { districtsOf, farNaming, possibleLegs } from './search.near.ts';
import { shownKm } from './search.near.rules.ts';

/** As `findByDistance`, from memory; null where PostgreSQL must be asked. */
export const findNearby = (
  db: Db,
  memory: SearchMemory,
  search: { title?: string | undefined; filter: ListingFilter },
  page: { order: Order; skip: number; take: number; choicesUpTo: number },
) => findInPostings(db, memory, { ...search, rings: () => ringsKnown(db, memory, search.filter) }, page);

/** What lies how far from a point depends on no listing. Who comes to a place by its name does: from where is a part of what is asked. */
async function ringsKnown(db: Db, { rings }: SearchMemory, filter: ListingFilter): Promise<AskedRings> {
  const { near, serves, place } = filter;
  if (!near && !serves) return ringsAsked(filter, [], null);
  const far = near ? [] : await farNaming(db, filter);
  const key = JSON.stringify([near, serves, place, far]);
  return rings.get(key, () => Promise.resolve(ringsAsked(filter, far, key)));
}

function ringsAsked(filter: ListingFilter, far: readonly number[], key: string | null): AskedRings {
  const legs = possibleLegs(filter, far);
  const shown = legs.map(({ km }) => shownKm(km));
  const places = new Map([...new Set(shown)].toSorted((one, other) => one - other).map((km, ring) => [km, ring]));
  return {
    key,
    cells: Int32Array.from(legs, ({ code }) => code),
    least: Uint16Array.from(legs, ({ least }) => least),
    rings: Uint16Array.from(shown, (km) => places.get(km) ?? 0),
    serves: districtsOf(filter).map((code) => facetKey('serves', code)),
  };
}
