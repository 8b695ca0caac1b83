// Written by tools/map-land.mjs: land as rings of differences in thousandths of a degree; places with the zoom that shows their names.
type LandFile = { land: readonly (readonly number[])[]; places: readonly PlaceLabel[] };
export type PlaceLabel = readonly [name: string, latitude: number, longitude: number, zoom: number];

const perDegree = 1_000;
const cellDegrees = 3;
/** From this zoom on the cells are shown instead of the overview. */
export const cellsFromZoom = 8;

const addresses = import.meta.glob<string>('./land/*.json', { query: '?url', import: 'default', eager: true });

/** The positions of a ring, each a latitude and a longitude. */
export function unpackRing(flat: readonly number[]): [number, number][] {
  const points: [number, number][] = [];
  let [x, y] = [0, 0];
  for (let index = 0; index + 1 < flat.length; index += 2) {
    x += flat[index] ?? 0;
    y += flat[index + 1] ?? 0;
    points.push([y / perDegree, x / perDegree]);
  }
  return points;
}

/** The names of the cells that a part of the map needs. */
export function listCellsWithin({ west, south, east, north }: { west: number; south: number; east: number; north: number }): string[] {
  const span = (from: number, to: number) => {
    const first = Math.floor(from / cellDegrees);
    return Array.from({ length: Math.floor(to / cellDegrees) - first + 1 }, (_, index) => first + index);
  };
  return span(west, east).flatMap((column) => span(south, north).map((row) => `${column}_${row}`));
}

const loaded = new Map<string, Promise<LandFile>>();

/** The land of a cell, or the overview. Cells with only sea have no file. */
export function loadLand(name: string): Promise<LandFile> {
  const cached = loaded.get(name);
  if (cached) return cached;
  const address = addresses[`./land/${name}.json`];
  const file = address ? fetch(address).then((answer) => answer.json() as Promise<LandFile>) : Promise.resolve({ land: [], places: [] });
  loaded.set(name, file);
  // Failed cells are loaded again at the next move.
  file.catch(() => loaded.delete(name));
  return file;
}
