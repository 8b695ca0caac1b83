// Cuts the coast of both countries, with place names, into the files that the map loads: an overview for whole countries, and a
// cell of three degrees for larger scales. Run it with a GeoJSON MultiPolygon of land, such as that of the npm package
// @geo-maps/earth-lands-250m, whose data is © OpenStreetMap contributors:
//   node_modules/.bin/node tools/map-land.mjs land.geojson.gz
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { findDistrictByCode } from '../contract/src/places/regions.ts';
import { australianCities } from '../server/src/domains/places/places.cities.ts';
import { readLocalities } from '../server/src/domains/places/places.data.ts';
import { root } from './install.mjs';

const degrees = 3;
// Neighbouring cells overlap, so that no seam is visible.
const overlap = 0.02;
// Coordinates are multiples of this fraction of a degree, stored as differences.
const perDegree = 1_000;
const overviewTolerance = 0.015;
// Degrees: about two kilometres.
const pond = 0.02;
const capitals = new Set([1701, 1801, 1901, 2001, 2101, 2201, 2301, 2401]);

/** @param {[number, number][]} ring @param {0 | 1} axis @param {number} edge @param {1 | -1} side */
function cutAt(ring, axis, edge, side) {
  const isInside = (point) => (point[axis] - edge) * side >= 0;
  return ring.flatMap((point, index) => {
    const before = ring.at(index - 1);
    if (isInside(point) === isInside(before)) return isInside(point) ? [point] : [];
    const part = (edge - before[axis]) / (point[axis] - before[axis]);
    const crossing = [0, 1].map((each) => (each === axis ? edge : before[each] + part * (point[each] - before[each])));
    return isInside(point) ? [crossing, point] : [crossing];
  });
}

const cutTo = (ring, [west, south, east, north]) =>
  [
    [0, west, 1],
    [0, east, -1],
    [1, south, 1],
    [1, north, -1],
  ].reduce((left, [axis, edge, side]) => (left.length === 0 ? left : cutAt(left, axis, edge, side)), ring);

/** Drops points closer than `tolerance` to the line between the remaining ones (Douglas–Peucker). */
function simplified(ring, tolerance) {
  const keeps = new Set([0, ring.length - 1]);
  const open = [[0, ring.length - 1]];
  for (let part = open.pop(); part; part = open.pop()) {
    const [from, to] = part;
    const [[x, y], [endX, endY]] = [ring[from], ring[to]];
    const length = Math.hypot(endX - x, endY - y);
    let [far, at] = [tolerance, 0];
    for (let index = from + 1; index < to; index += 1) {
      const [px, py] = ring[index];
      const distance = length === 0 ? Math.hypot(px - x, py - y) : Math.abs((endX - x) * (y - py) - (x - px) * (endY - y)) / length;
      if (distance > far) [far, at] = [distance, index];
    }
    if (at === 0) continue;
    keeps.add(at);
    open.push([from, at], [at, to]);
  }
  return ring.filter((_, index) => keeps.has(index));
}

const extent = (ring) => {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  return Math.max(
    xs.reduce((a, b) => Math.max(a, b)) - xs.reduce((a, b) => Math.min(a, b)),
    ys.reduce((a, b) => Math.max(a, b)) - ys.reduce((a, b) => Math.min(a, b)),
  );
};

/** "x, y" of the first point, then the differences, in one flat list. */
function packed(ring) {
  let [lastX, lastY] = [0, 0];
  const flat = [];
  for (const point of ring) {
    const [x, y] = point.map((value) => Math.round(value * perDegree));
    if (flat.length > 0 && x === lastX && y === lastY) continue;
    flat.push(x - lastX, y - lastY);
    [lastX, lastY] = [x, y];
  }
  return flat;
}

/** The zoom from which a name is shown, by the number of addresses. */
const zoomOf = (size) => [150_000, 20_000, 6_000, 2_000, 500].findIndex((least) => size >= least);
const zooms = [4, 6, 8, 9, 10];
// The sizes of New Zealand's suburbs are unknown.
const zoomFrom = (size) => (size === 0 ? 10 : (zooms[zoomOf(size)] ?? 11));

function namedPlaces() {
  const places = readLocalities(readFileSync(join(root, 'server/src/domains/places/localities.tsv'), 'utf8'))
    .filter((one) => !one.isRetired)
    .map(({ name, latitude, longitude, addresses, districtCode }) => ({ name, latitude, longitude, size: addresses, districtCode }));
  // An Australian city is many localities, so its name is placed at their centre.
  for (const { districtCode, latitude, longitude } of australianCities) {
    const { name } = findDistrictByCode(districtCode);
    const own = places.find((one) => one.districtCode === districtCode && one.name === name);
    const size = capitals.has(districtCode) ? 500_000 : 60_000;
    if (own) own.size = Math.max(own.size, size);
    else places.push({ name, latitude, longitude, size, districtCode });
  }
  places.sort((a, b) => b.size - a.size || a.name.length - b.name.length);
  // Of several places at one point, the largest is named.
  const taken = new Set();
  return places
    .map(({ name, latitude, longitude, size }) => [name, latitude, longitude < 0 ? longitude + 360 : longitude, zoomFrom(size)])
    .filter(([, latitude, longitude]) => !taken.has(`${latitude} ${longitude}`) && taken.add(`${latitude} ${longitude}`));
}

const [source] = process.argv.slice(2);
if (!source) throw new Error('Give the file of land: node_modules/.bin/node tools/map-land.mjs land.geojson.gz');
const bytes = readFileSync(source);
const { geometry, coordinates = geometry.coordinates } = JSON.parse(source.endsWith('.gz') ? gunzipSync(bytes) : bytes);
// Inland water such as Sydney's inner harbour is a ring like any other, since a cell is drawn as one path by the even-odd rule. Ponds are left out.
const rings = coordinates.flatMap(([outer, ...holes]) =>
  [outer, ...holes.filter((hole) => extent(hole) > pond)].map((ring) => ring.slice(0, -1)),
);
const places = namedPlaces();

const target = join(root, 'web/app/domains/search/map/land');
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const write = (name, land, named) => {
  const lines = (list) => `[${list.map((one) => JSON.stringify(one)).join(',\n')}]`;
  writeFileSync(join(target, `${name}.json`), `{"land":${lines(land.map(packed))},\n"places":${lines(named)}}\n`);
};

const large = rings.filter((ring) => extent(ring) > 4 * overviewTolerance).map((ring) => simplified(ring, overviewTolerance));
write(
  'overview',
  large,
  places.filter(([, , , zoom]) => zoom < 8),
);

const cellOf = (value) => Math.floor(value / degrees);
const [wests, souths] = [rings.flat().map(([x]) => cellOf(x)), rings.flat().map(([, y]) => cellOf(y))];
const span = (cells) => {
  const least = cells.reduce((a, b) => Math.min(a, b));
  return Array.from({ length: cells.reduce((a, b) => Math.max(a, b)) - least + 1 }, (_, index) => least + index);
};
for (const column of span(wests)) {
  const strip = [column * degrees - overlap, -90, (column + 1) * degrees + overlap, 90];
  const inStrip = rings.map((ring) => cutTo(ring, strip)).filter((ring) => ring.length > 2);
  for (const row of span(souths)) {
    const box = [strip[0], row * degrees - overlap, strip[2], (row + 1) * degrees + overlap];
    const land = inStrip.map((ring) => cutTo(ring, box)).filter((ring) => ring.length > 2);
    const named = places.filter(([, latitude, longitude]) => cellOf(longitude) === column && cellOf(latitude) === row);
    if (land.length > 0 || named.length > 0) write(`${column}_${row}`, land, named);
  }
}
