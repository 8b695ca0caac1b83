/** A position on the earth (WGS 84), in degrees. */
export type Point = { latitude: number; longitude: number };

const radians = Math.PI / 180;
const kmOfEarthRadius = 6371;

/** The great-circle distance between two points: exact to half a percent, also across 180°. */
export function kmBetween(a: Point, b: Point): number {
  const half =
    Math.sin(((b.latitude - a.latitude) * radians) / 2) ** 2 +
    Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians) * Math.sin(((b.longitude - a.longitude) * radians) / 2) ** 2;
  return 2 * kmOfEarthRadius * Math.asin(Math.sqrt(Math.min(1, half)));
}
