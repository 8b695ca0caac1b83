import { type Point, kmBetween } from '@handwise/contract/places/distance';
import type { Locality } from './places.data.ts';

export type Nearby = { locality: Locality; km: number };

const radians = Math.PI / 180;

function vector({ latitude, longitude }: Point): [number, number, number] {
  const around = Math.cos(latitude * radians);
  return [around * Math.cos(longitude * radians), around * Math.sin(longitude * radians), Math.sin(latitude * radians)];
}

/**
 * Finds what is nearest. Each place is a point on a ball of radius 1: the straight way through it grows with the way over it, costs
 * three products, and knows no 180°. All 17,000 take 0.1 ms.
 */
export class Nearness {
  readonly #localities: readonly Locality[];
  readonly #vectors: Float64Array;

  constructor(localities: readonly Locality[]) {
    this.#localities = localities;
    this.#vectors = Float64Array.from(localities.flatMap(vector));
  }

  /** The `count` localities nearest to a point, the nearest first; those that `fits` refuses are passed over. */
  nearest(point: Point, count: number, fits: (locality: Locality) => boolean = () => true): Nearby[] {
    const [x, y, z] = vector(point);
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
