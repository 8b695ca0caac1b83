import type { CellCount } from '../orders/search.evidence.ts';

/** How far anybody is looked for, and how far anybody comes: kilometres. */
export const widest = 200;
/** Further than anybody comes by their own distance. */
export const never = 32_767;

/** A distance as it is shown, which is also what the order goes by: tenths below ten kilometres, whole ones from there. */
export const shownKm = (km: number) => (km < 9.95 ? Math.round(km * 10) / 10 : Math.round(km));

/** Those of a place, and how far they must come for it: 0 where their base alone is enough. */
export type Leg = { code: number; least: number };
/** All that is shown at one distance. */
export type Ring = { km: number; legs: readonly Leg[]; total: number };

type Distant = { code: number; km: number };

/** Who counts within a distance: those based there, and those beyond who come so far. */
export const legsNear = (cells: readonly Distant[], km: number): (Distant & Leg)[] =>
  cells.map((cell) => ({ ...cell, least: cell.km <= km ? 0 : Math.ceil(cell.km) }));

/** Legs with what they have, the nearest first, those of one shown distance together. Empty ones are left out. */
export function ringsOf(legs: readonly (Distant & Leg)[], totals: readonly number[]): Ring[] {
  const rings = new Map<number, { km: number; legs: Leg[]; total: number }>();
  for (const [index, { code, km, least }] of legs.entries()) {
    const total = totals[index] ?? 0;
    if (total === 0) continue;
    const shown = shownKm(km);
    const ring = rings.get(shown) ?? { km: shown, legs: [], total: 0 };
    ring.legs.push({ code, least });
    ring.total += total;
    rings.set(shown, ring);
  }
  return [...rings.values()].toSorted((one, other) => one.km - other.km);
}

export const totalOf = (rings: readonly Ring[]) => rings.reduce((sum, { total }) => sum + total, 0);

/** Who there is at which distance, and what they have that a search filters by, where they were looked at. */
export type Distances = { rings: Ring[]; visit: { whole: CellCount[]; cut: CellCount[] } | null };

/** A part of a ring's list, from whichever end of it is nearer. */
export type Stretch = { ring: Ring; skip: number; take: number; fromEnd: boolean };

/** Which rings a page of all of them takes from, and which part of each. */
export function stretchesOf(rings: readonly Ring[], page: { skip: number; take: number }): Stretch[] {
  const stretches: Stretch[] = [];
  let { skip, take } = page;
  for (const ring of rings) {
    if (take === 0) break;
    if (skip < ring.total) {
      const taken = Math.min(take, ring.total - skip);
      const behind = ring.total - skip - taken;
      stretches.push(behind < skip ? { ring, skip: behind, take: taken, fromEnd: true } : { ring, skip, take: taken, fromEnd: false });
      take -= taken;
    }
    skip = Math.max(0, skip - ring.total);
  }
  return stretches;
}
