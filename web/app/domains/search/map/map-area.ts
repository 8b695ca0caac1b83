import { kmBetween } from '@handwise/contract/places/distance';

type Corner = [latitude: number, longitude: number];

/** The distances that a search offers. */
export const distancesKm = [5, 10, 25, 50, 100, 200] as const;

/**
 * The bounds of the nine in ten points nearest to the middle, because one outlier would shrink the others to a dot. Null without points.
 */
export function getBounds(points: readonly Corner[]): [Corner, Corner] | null {
  if (points.length === 0) return null;
  const middle = (axis: 0 | 1) => points.map((point) => point[axis]).toSorted((a, b) => a - b)[Math.floor(points.length / 2)] ?? 0;
  const [latitude, longitude] = [middle(0), middle(1)];
  const near = points
    .toSorted((a, b) => Math.hypot(a[0] - latitude, a[1] - longitude) - Math.hypot(b[0] - latitude, b[1] - longitude))
    .slice(0, Math.ceil(points.length * 0.9));
  const [latitudes, longitudes] = [near.map((point) => point[0]), near.map((point) => point[1])];
  return [
    [Math.min(...latitudes), Math.min(...longitudes)],
    [Math.max(...latitudes), Math.max(...longitudes)],
  ];
}

/** Around the listings of a town this far, so that its harbour and neighbours are in view. */
const surroundingsKm = 14;

/**
 * The bounds of listings and of the places around their middle, which stand on land and along the shores. Listings that are spread over more
 * than a town are their own surroundings.
 */
export function getBoundsWithSurroundings(points: readonly Corner[], places: readonly Corner[]): [Corner, Corner] | null {
  const bounds = getBounds(points);
  if (!bounds) return null;
  const [[south, west], [north, east]] = bounds;
  const middle = { latitude: (south + north) / 2, longitude: (west + east) / 2 };
  const isTown = kmBetween({ latitude: south, longitude: west }, { latitude: north, longitude: east }) < 4 * surroundingsKm;
  const around = isTown ? places.filter(([latitude, longitude]) => kmBetween(middle, { latitude, longitude }) <= surroundingsKm) : [];
  const all = [...bounds, ...around];
  const [latitudes, longitudes] = [all.map((point) => point[0]), all.map((point) => point[1])];
  return [
    [Math.min(...latitudes), Math.min(...longitudes)],
    [Math.max(...latitudes), Math.max(...longitudes)],
  ];
}

type Pixels = { x: number; y: number };

/**
 * How far to move a view, so that the room around `box` shows land rather than sea: to the side with the most places. All in pixels of the
 * view; `box` stays inside.
 */
export function chooseShift(places: readonly Pixels[], size: Pixels, box: { min: Pixels; max: Pixels }, margin: number): Pixels {
  const shifts = (axis: 'x' | 'y') => {
    // Half of the room: the listings stay near the middle.
    const [least, most] = [(box.max[axis] + margin - size[axis]) / 2, (box.min[axis] - margin) / 2];
    return [0, ...(least < 0 ? [least] : []), ...(most > 0 ? [most] : [])];
  };
  const countSeen = ({ x, y }: Pixels) =>
    places.filter((one) => one.x >= x && one.x <= x + size.x && one.y >= y && one.y <= y + size.y).length;
  const all = shifts('x').flatMap((x) => shifts('y').map((y) => ({ x, y })));
  return all.reduce((best, one) => (countSeen(one) > countSeen(best) ? one : best));
}

type Bounds = { getCenter: () => { lat: number; lng: number }; getNorth: () => number; getEast: () => number };

const westward = (longitude: number) => (longitude > 180 ? longitude - 360 : longitude);

/** The search around the middle of a view, as far as its longer side reaches. Null if the view is wider than any search. */
export function getArea(view: Bounds): { near: string; km: string } | null {
  const { lat, lng } = view.getCenter();
  const center = { latitude: lat, longitude: lng };
  const reach = Math.max(
    kmBetween(center, { latitude: view.getNorth(), longitude: lng }),
    kmBetween(center, { latitude: lat, longitude: view.getEast() }),
  );
  const km = distancesKm.find((one) => one >= reach * 0.8);
  return km === undefined ? null : { near: `${lat.toFixed(2)},${westward(lng).toFixed(2)}`, km: String(km) };
}
