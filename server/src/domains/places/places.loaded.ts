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
    byCode: new Map(all.map((one) => [one.code, one])),
    bySlug: new Map(localities.map((one) => [`${one.regionCode} ${one.slug}`, one])),
    mainTowns: new Map<number, Locality>(),
  };
}
