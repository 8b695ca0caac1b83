import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseShift, getArea, getBounds, getBoundsWithSurroundings } from './map-area.ts';
import { getPinValue } from './pin-value.ts';
import { listCellsWithin, unpackRing } from './map-land.ts';
import { type Label, LabelSpace, getLabelSide } from './map-labels.ts';

const folder = join(import.meta.dirname, 'land');
type Land = { land: number[][]; places: [string, number, number, number][] };
/** Cells with only sea have no file. */
const read = (name: string): Land =>
  existsSync(join(folder, `${name}.json`)) ? JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) : { land: [], places: [] };

/** Whether a point is on land: a line from it crosses the coast an odd number of times, which is also how a path is filled. */
function isLand(latitude: number, longitude: number, name?: string) {
  const [cell = ''] = name ? [name] : listCellsWithin({ west: longitude, south: latitude, east: longitude, north: latitude });
  return read(cell).land.reduce((isWithin, flat) => {
    const ring = unpackRing(flat);
    return ring.reduce((inside, [y, x], index) => {
      const [lastY, lastX] = ring.at(index - 1) ?? [y, x];
      const crosses = y > latitude !== lastY > latitude && longitude < ((lastX - x) * (latitude - y)) / (lastY - y) + x;
      return crosses ? !inside : inside;
    }, isWithin);
  }, false);
}

test.each([
  ['Queen Street, Auckland', -36.85, 174.764, true],
  ['Devonport', -36.83, 174.797, true],
  ['the Waitematā harbour', -36.834, 174.78, false],
  ['the Manukau harbour', -37.02, 174.68, false],
  ['Rangitoto', -36.787, 174.86, true],
  ['Sydney’s Hyde Park', -33.873, 151.211, true],
  ['Botany Bay', -33.985, 151.19, false],
  ['the inner harbour of Sydney', -33.855, 151.178, false],
  ['the Otago peninsula', -45.86, 170.65, true],
  ['Alice Springs', -23.7, 133.88, true],
  ['the Tasman Sea', -38, 160, false],
])('has %s on the right side of the coast', (_, latitude, longitude, land) => {
  expect(isLand(latitude, longitude)).toBe(land);
});

test('has both countries and their cities in the overview', () => {
  for (const [latitude, longitude] of [
    [-43.5, 172],
    [-38.5, 175.8],
    [-25, 135],
    [-42, 146.5],
  ] as const)
    expect(isLand(latitude, longitude, 'overview')).toBe(true);
  const names = read('overview').places.map(([name]) => name);
  for (const name of ['Auckland', 'Wellington', 'Dunedin', 'Sydney', 'Perth', 'Hobart', 'Gold Coast']) expect(names).toContain(name);
  expect(names).not.toContain('Ponsonby');
  expect(read('58_-13').places.map(([name]) => name)).toContain('Ponsonby');
});

test('loads the cells that a view touches', () => {
  expect(listCellsWithin({ west: 174.2, south: -37.2, east: 175, north: -36.5 })).toEqual(['58_-13']);
  expect(listCellsWithin({ west: 173.9, south: -39.1, east: 174.1, north: -38.9 }).toSorted()).toEqual([
    '57_-13',
    '57_-14',
    '58_-13',
    '58_-14',
  ]);
});

const label = (item: string, x: number, side: 'right' | 'middle' = 'middle'): Label<string> => ({ item, text: item, x, y: 0, side });

test('places the first of overlapping labels, and none over a mark', () => {
  const space = new LabelSpace();
  space.takeMark(300, 0, 9);
  const placed = space.place([label('Auckland', 0), label('Ponsonby', 30), label('Hamilton', 150), label('Taupō', 300)]);
  expect(placed.map(({ item }) => item)).toEqual(['Auckland', 'Hamilton']);
  // A name beside its own pin does not cover it.
  expect(space.place([label('Aroha Plumbing', 300, 'right')])).toEqual([{ item: 'Aroha Plumbing', shift: 0 }]);
  expect([getLabelSide('Aroha Plumbing', 300, 480), getLabelSide('Aroha Plumbing', 400, 480)]).toEqual(['right', 'left']);
  expect(new LabelSpace().place([label('A', 0), label('B', 100), label('C', 200)], { most: 2 })).toHaveLength(2);
});

test("places a town's name below or above listings at its centre", () => {
  const space = new LabelSpace();
  space.takeMark(0, 0, 20);
  expect(space.place([label('Dunedin', 0), label('Mosgiel', 0), label('Outram', 0)], { shifts: [0, 30, -30] })).toEqual([
    { item: 'Dunedin', shift: 30 },
    { item: 'Mosgiel', shift: -30 },
  ]);
});

test('fits nine in ten points, ignoring outliers', () => {
  const near = Array.from({ length: 18 }, (_, index): [number, number] => [-36.8 - index / 100, 174.7]);
  expect(getBounds([...near, [-46, 168]])).toEqual([
    [-36.97, 174.7],
    [-36.8, 174.7],
  ]);
  expect(getBounds([[-36.8, 174.7]])).toEqual([
    [-36.8, 174.7],
    [-36.8, 174.7],
  ]);
  expect(getBounds([])).toBeNull();
});

const view = (lat: number, lng: number, reach: number) => ({
  getCenter: () => ({ lat, lng }),
  getNorth: () => lat + reach,
  getEast: () => lng + reach,
});

test('searches around the centre of a view, about as far as it shows', () => {
  expect(getArea(view(-36.8512, 174.7634, 0.1))).toEqual({ near: '-36.85,174.76', km: '10' });
  expect(getArea(view(-36.8512, 174.7634, 0.9))).toEqual({ near: '-36.85,174.76', km: '100' });
  expect(getArea(view(-43.95, 183.44, 0.2))).toEqual({ near: '-43.95,-176.56', km: '25' });
  expect(getArea(view(-25, 134, 20))).toBeNull();
});

const placesOf = (...cells: string[]) =>
  cells.flatMap((cell) => read(cell).places.map(([, latitude, longitude]): [number, number] => [latitude, longitude]));

test.each([
  [
    'Otago’s harbour from Dunedin to Port Chalmers',
    [
      [-45.874, 170.503],
      [-45.9, 170.49],
    ],
    ['56_-16'],
    [-45.82, 170.63],
  ],
  [
    'the Derwent from Hobart to Bridgewater',
    [
      [-42.88, 147.33],
      [-42.83, 147.28],
    ],
    ['49_-15', '48_-15'],
    [-42.75, 147.24],
  ],
] as const)('shows %s around the listings of a town', (_, points, cells, [latitude, longitude]) => {
  const listings = points.map(([one, other]): [number, number] => [one, other]);
  const [[south, west], [north, east]] = getBoundsWithSurroundings(listings, placesOf(...cells)) ?? [
    [0, 0],
    [0, 0],
  ];
  expect(latitude >= south && latitude <= north && longitude >= west && longitude <= east).toBe(true);
  expect(north - south).toBeLessThan(0.6);
});

test('leaves out the surroundings of listings that are spread over a region', () => {
  const spread: [number, number][] = [
    [-36.8, 174.7],
    [-38.7, 176.1],
    [-37.8, 175.3],
  ];
  expect(
    getBoundsWithSurroundings(spread, [
      [-37.9, 175.4],
      [-36, 174],
    ]),
  ).toEqual(getBounds(spread));
  expect(getBoundsWithSurroundings([], [[-37.9, 175.4]])).toBeNull();
});

test('moves a view towards places rather than empty sea, and keeps the listings inside', () => {
  const size = { x: 400, y: 600 };
  const box = { min: { x: 150, y: 250 }, max: { x: 250, y: 350 } };
  const inland = [
    { x: 200, y: -50 },
    { x: 220, y: -75 },
  ];
  expect(chooseShift(inland, size, box, 50)).toEqual({ x: 0, y: -100 });
  expect(chooseShift([{ x: 200, y: 300 }], size, box, 50)).toEqual({ x: 0, y: 0 });
  expect(chooseShift([{ x: 425, y: 300 }], size, box, 50)).toEqual({ x: 50, y: 0 });
});

test('a pin shows the price of one listing, else the best rating, else nothing', () => {
  const priced = { averageRating: 4.5, priceFrom: 9_500, priceUnit: 'hour' } as const;
  const rated = { averageRating: 4.84, priceFrom: null, priceUnit: null };
  const unknown = { averageRating: null, priceFrom: null, priceUnit: null };
  expect(getPinValue([priced])).toBe('$95/h');
  expect(getPinValue([{ ...priced, priceFrom: 120_000, priceUnit: 'job' }])).toBe('$1,200');
  expect(getPinValue([rated])).toBe('★ 4.8');
  expect(getPinValue([priced, rated])).toBe('★ 4.8');
  expect(getPinValue([unknown])).toBe('');
});
