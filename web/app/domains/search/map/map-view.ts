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

/** A place on the map: where its number stands in percent, and to which side of it its name has room. */
type Pin<Place> = { place: Place; left: number; top: number; nameTo: 'left' | 'right' | 'both'; isMoved: boolean };

// As wide as the smallest phone shows the map, in pixels, and what a number takes there with the gap around it.
const leastWidth = 284;
const pinHeight = 32;
const pinWidth = (text: string) => 24 + 8 * text.length;

// Where a number may stand that has no room on its place: around it, the nearest first.
const moves = [0, 18, 34, 50, 66].flatMap((far) =>
  Array.from({ length: far === 0 ? 1 : 12 }, (_, turn) => ({
    x: far * Math.cos((turn * Math.PI) / 6),
    y: far * Math.sin((turn * Math.PI) / 6),
  })),
);

/**
 * The pins of a map, the places with most listings first: where two numbers would overlap, the smaller moves aside. What has no room
 * near its place is in `others`.
 */
export function pinsOf<Place extends Point & { total: number }>(
  places: readonly Place[],
  frame: Box,
  textOf: (total: number) => string,
): { pins: Pin<Place>[]; others: Place[] } {
  const height = leastWidth * ratio;
  const taken: { x: number; y: number; width: number }[] = [];
  const pins: Pin<Place>[] = [];
  const others: Place[] = [];
  for (const place of places.toSorted((a, b) => b.total - a.total)) {
    const { x, y } = project(place);
    const at = { x: ((x - frame.left) / frame.width) * leastWidth, y: ((y - frame.top) / frame.height) * height };
    const width = pinWidth(textOf(place.total));
    const move = moves.find(({ x: right, y: down }) => {
      const spot = { x: at.x + right, y: at.y + down };
      const isInside =
        spot.x >= width / 2 && spot.x <= leastWidth - width / 2 && spot.y >= pinHeight / 2 && spot.y <= height - pinHeight / 2;
      return isInside && taken.every((one) => Math.abs(one.x - spot.x) >= (one.width + width) / 2 || Math.abs(one.y - spot.y) >= pinHeight);
    });
    if (!move) {
      others.push(place);
      continue;
    }
    const spot = { x: at.x + move.x, y: at.y + move.y };
    taken.push({ ...spot, width });
    const left = spot.x / leastWidth;
    const nameTo = left > 0.65 ? 'left' : left < 0.35 ? 'right' : 'both';
    pins.push({ place, left: left * 100, top: (spot.y / height) * 100, nameTo, isMoved: move.x !== 0 || move.y !== 0 });
  }
  return { pins, others };
}
