import type { CountryCode } from '@handwise/contract/markets';

type Point = { latitude: number; longitude: number };
type Box = { left: number; top: number; width: number; height: number };

// The units of outlines.svg: 1/50 of a degree of longitude, in Mercator's projection. What lies beyond 180° lies further east.
const unitsPerDegree = 50;
const degrees = 180 / Math.PI;

/** Where a point lies in the drawing. */
export function project({ latitude, longitude }: Point): { x: number; y: number } {
  const east = longitude < 0 ? longitude + 360 : longitude;
  return {
    x: east * unitsPerDegree,
    y: -Math.log(Math.tan(Math.PI / 4 + latitude / degrees / 2)) * degrees * unitsPerDegree,
  };
}

const corners: Record<CountryCode, readonly Point[]> = {
  NZ: [
    { latitude: -34.2, longitude: 166.2 },
    { latitude: -47.4, longitude: 178.8 },
  ],
  AU: [
    { latitude: -10.4, longitude: 112.8 },
    { latitude: -43.9, longitude: 154 },
  ],
};

/** Height of the map to its width, and how much of it around the places is kept free. */
export const ratio = 1.1;
const margin = 0.16;
const leastDegrees = 0.7;

/** The part of the drawing that shows these places, or the whole of their countries. */
export function frameOf(places: readonly (Point & { country: CountryCode })[], isWhole: boolean): Box {
  const shown = isWhole ? [...new Set(places.map((place) => place.country))].flatMap((country) => corners[country]) : places;
  const points = shown.map(project);
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const spread = isWhole ? 1.04 : 1 + 2 * margin;
  const wide = Math.max((Math.max(...xs) - Math.min(...xs)) * spread, leastDegrees * unitsPerDegree);
  const high = Math.max((Math.max(...ys) - Math.min(...ys)) * spread, leastDegrees * unitsPerDegree);
  const width = Math.max(wide, high / ratio);
  const height = width * ratio;
  const middle = (numbers: number[]) => (Math.min(...numbers) + Math.max(...numbers)) / 2;
  return { left: middle(xs) - width / 2, top: middle(ys) - height / 2, width, height };
}

/** A place on the map: where it stands in percent, whether its number has room there, and to which side of it its name has. */
type Pin<Place> = { place: Place; left: number; top: number; hasRoom: boolean; nameTo: 'left' | 'right' | 'both' };

// As wide as a phone shows the map, in pixels, and what a number takes there.
const usualWidth = 340;
const pinHeight = 30;
const pinWidth = (text: string) => 22 + 8 * text.length;

/** The pins of a map, the places with most listings first: where two numbers would overlap, the smaller becomes a dot. */
export function pinsOf<Place extends Point & { total: number }>(
  places: readonly Place[],
  frame: Box,
  textOf: (total: number) => string,
): Pin<Place>[] {
  const taken: { x: number; y: number; width: number }[] = [];
  return places
    .toSorted((a, b) => b.total - a.total)
    .map((place) => {
      const { x, y } = project(place);
      const left = (x - frame.left) / frame.width;
      const top = (y - frame.top) / frame.height;
      const spot = { x: left * usualWidth, y: top * usualWidth * ratio, width: pinWidth(textOf(place.total)) };
      const hasRoom = taken.every(
        (other) => Math.abs(other.x - spot.x) >= (other.width + spot.width) / 2 || Math.abs(other.y - spot.y) >= pinHeight,
      );
      if (hasRoom) taken.push(spot);
      return { place, left: left * 100, top: top * 100, hasRoom, nameTo: left > 0.65 ? 'left' : left < 0.35 ? 'right' : 'both' };
    });
}
