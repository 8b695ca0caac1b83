import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { regionOfCode } from '@handwise/contract/places';
import sharp from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { randomFrom, seedOf } from './random.ts';
import { type LogoOrder, drawLogo } from './logos.ts';
import { drawView } from './scenes/land/view.ts';
import { type Mood, drawLight, drawSky, pickMood } from './scenes/moods.ts';
import { buildingSite } from './scenes/outdoors/building-site.ts';
import { driveway } from './scenes/outdoors/driveway.ts';
import { fence } from './scenes/outdoors/fence.ts';
import { garden } from './scenes/outdoors/garden.ts';
import { home } from './scenes/outdoors/home.ts';
import { roof } from './scenes/outdoors/roof.ts';
import { trees } from './scenes/outdoors/trees.ts';
import { trench } from './scenes/outdoors/trench.ts';
import { drawNearLeaves } from './scenes/plants.ts';
import { assembly } from './scenes/rooms/assembly.ts';
import { bathroom } from './scenes/rooms/bathroom.ts';
import { bigWindow } from './scenes/rooms/big-window.ts';
import { kitchen } from './scenes/rooms/kitchen.ts';
import { laundry } from './scenes/rooms/laundry.ts';
import { livingRoom } from './scenes/rooms/living-room.ts';
import { office } from './scenes/rooms/office.ts';
import { paintedRoom } from './scenes/rooms/painted-room.ts';
import { security } from './scenes/rooms/security.ts';
import { skirting } from './scenes/rooms/skirting.ts';
import { switchboard } from './scenes/rooms/switchboard.ts';
import { underSink } from './scenes/rooms/under-sink.ts';
import { workBench } from './scenes/rooms/work-bench.ts';
import { Sketch } from './scenes/sketch.ts';

type Draw = (sketch: Sketch, mood: Mood, regionCode: number) => void;
type Kind = { draw: Draw; outside?: boolean };

const kinds = {
  house: { draw: (s, m, r) => home(s, m, r, 'none'), outside: true },
  'house-ladder': { draw: (s, m, r) => home(s, m, r, 'ladder'), outside: true },
  'house-van': { draw: (s, m, r) => home(s, m, r, 'van'), outside: true },
  'house-paint': { draw: (s, m, r) => home(s, m, r, 'paint'), outside: true },
  'house-scaffold': { draw: (s, m, r) => home(s, m, r, 'scaffold'), outside: true },
  roof: { draw: roof, outside: true },
  view: { draw: drawView, outside: true },
  'lawn-mow': { draw: (s, m, r) => garden(s, m, r, 'mow'), outside: true },
  'garden-plants': { draw: (s, m, r) => garden(s, m, r, 'plants'), outside: true },
  'garden-water': { draw: (s, m, r) => garden(s, m, r, 'water'), outside: true },
  'garden-path': { draw: (s, m, r) => garden(s, m, r, 'path'), outside: true },
  trees: { draw: trees, outside: true },
  'drive-concrete': { draw: (s, m, r) => driveway(s, m, r, 'concrete'), outside: true },
  'drive-pavers': { draw: (s, m, r) => driveway(s, m, r, 'pavers'), outside: true },
  deck: { draw: (s, m, r) => driveway(s, m, r, 'deck'), outside: true },
  fence: { draw: fence, outside: true },
  'site-frame': { draw: (s, m, r) => buildingSite(s, m, r, 'frame'), outside: true },
  'site-tower': { draw: (s, m, r) => buildingSite(s, m, r, 'tower'), outside: true },
  'site-demolition': { draw: (s, m, r) => buildingSite(s, m, r, 'demolition'), outside: true },
  camera: { draw: (s, m, r) => security(s, m, r, 'camera'), outside: true },
  keypad: { draw: (s, m, r) => security(s, m, r, 'keypad') },
  smart: { draw: (s, m, r) => security(s, m, r, 'smart') },
  switchboard: { draw: switchboard },
  'room-clean': { draw: (s, m, r) => livingRoom(s, m, r, 'clean') },
  'room-plain': { draw: (s, m, r) => livingRoom(s, m, r, 'plain') },
  'room-lights': { draw: (s, m, r) => livingRoom(s, m, r, 'lights') },
  'room-paint': { draw: paintedRoom },
  office: { draw: office },
  'bathroom-clean': { draw: (s, m, r) => bathroom(s, m, r, 'clean') },
  'bathroom-plumb': { draw: (s, m, r) => bathroom(s, m, r, 'plumb') },
  'kitchen-clean': { draw: (s, m, r) => kitchen(s, m, r, 'clean') },
  'kitchen-oven': { draw: (s, m, r) => kitchen(s, m, r, 'oven') },
  'kitchen-gas': { draw: (s, m, r) => kitchen(s, m, r, 'gas') },
  kitchen: { draw: (s, m, r) => kitchen(s, m, r, 'plain') },
  laundry: { draw: (s, m, r) => laundry(s, m, r, 'washer') },
  cylinder: { draw: (s, m, r) => laundry(s, m, r, 'cylinder') },
  'window-clean': { draw: (s, m, r) => bigWindow(s, m, r, 'clean') },
  'window-fit': { draw: (s, m, r) => bigWindow(s, m, r, 'fit') },
  'sink-pipes': { draw: (s, m, r) => underSink(s, m, r, false) },
  'sink-leak': { draw: (s, m, r) => underSink(s, m, r, true) },
  trench: { draw: trench, outside: true },
  skirting: { draw: skirting },
  shelf: { draw: (s, m, r) => assembly(s, m, r, 'shelf') },
  organised: { draw: (s, m, r) => assembly(s, m, r, 'organised') },
  tools: { draw: (s, m, r) => workBench(s, m, r, 'general') },
  'tools-wood': { draw: (s, m, r) => workBench(s, m, r, 'wood') },
  'tools-pipes': { draw: (s, m, r) => workBench(s, m, r, 'pipes') },
  'tools-wires': { draw: (s, m, r) => workBench(s, m, r, 'wires') },
  'tools-paint': { draw: (s, m, r) => workBench(s, m, r, 'paint') },
  'tools-earth': { draw: (s, m, r) => workBench(s, m, r, 'earth') },
} as const satisfies Record<string, Kind>;

export type SceneKind = keyof typeof kinds;

/** What is to be drawn: the same order gives the same picture. */
export type PictureOrder = { kind: SceneKind; seed: number; regionCode: number; alt: string };
export type StoredPicture = { key: string; widths: number[]; width: number; height: number; thumbhash: string; alt: string };

const widths = [400, 800] as const;

export function drawPicture({ kind, seed, regionCode }: Pick<PictureOrder, 'kind' | 'seed' | 'regionCode'>): string {
  const sketch = new Sketch(randomFrom(seedOf('picture', kind, seed)));
  const mood = pickMood(sketch.random);
  const scene: Kind = kinds[kind];
  // Another stand and lens for each picture, so that two of a kind are composed differently.
  const { random } = sketch;
  const zoom = kind === 'view' ? 1 : random.between(1, 1.2);
  const [x, y] = [random.between(250, 550), random.between(480, 600)];
  const side = kind !== 'view' && random.chance(0.5) ? -1 : 1;
  const left = side < 0 ? 800 - x + x * zoom : x - x * zoom;
  sketch.within(
    { transform: `matrix(${(side * zoom).toFixed(3)} 0 0 ${zoom.toFixed(3)} ${left.toFixed(1)} ${(y - y * zoom).toFixed(1)})` },
    () => {
      if (scene.outside) drawSky(sketch, mood, 340);
      scene.draw(sketch, mood, regionCode);
    },
  );
  if (scene.outside && random.chance(0.3)) drawNearLeaves(sketch, mood);
  drawLight(sketch, mood);
  return sketch.svg();
}

/** 16 hex digits of the drawing itself: a changed drawing gets a new name, so a browser's copy is never stale. */
export const pictureHash = (svg: string) => createHash('sha256').update(svg).digest('hex').slice(0, 16);

/** The same orders with so many drawings of a kind and country at most, which the other orders of these show in turn: no bridge of Sydney stands in Whanganui. */
export function withFewDrawings(orders: readonly PictureOrder[], most: number): PictureOrder[] {
  const seen = new Map<string, PictureOrder[]>();
  return orders.map((order) => {
    const which = `${order.kind} ${regionOfCode(order.regionCode)?.country}`;
    const before = seen.get(which) ?? [];
    seen.set(which, [...before, order]);
    return { ...(before[before.length % most] ?? order), alt: order.alt };
  });
}

async function storePicture(order: PictureOrder, dir: string): Promise<StoredPicture> {
  const svg = drawPicture(order);
  const key = `demo/${pictureHash(svg)}`;
  const large = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const raw = { raw: { width: large.info.width, height: large.info.height, channels: large.info.channels } };
  const small = await sharp(large.data, raw).resize(widths[0]).raw().toBuffer({ resolveWithObject: true });
  const smallRaw = { raw: { width: small.info.width, height: small.info.height, channels: small.info.channels } };
  const [largeFile, smallFile, thumb] = await Promise.all([
    sharp(large.data, raw).webp({ quality: 72, effort: 0 }).toBuffer(),
    sharp(small.data, smallRaw).webp({ quality: 74, effort: 0 }).toBuffer(),
    sharp(small.data, smallRaw).resize(64, 48, { kernel: 'nearest' }).ensureAlpha().raw().toBuffer(),
  ]);
  await Promise.all([writeFile(join(dir, `${key}-800.webp`), largeFile), writeFile(join(dir, `${key}-400.webp`), smallFile)]);
  const thumbhash = Buffer.from(rgbaToThumbHash(64, 48, thumb)).toString('base64');
  return { key, widths: [...widths], width: large.info.width, height: large.info.height, thumbhash, alt: order.alt };
}

/** Draws and stores pictures below `filesDir`, in the order given. Files that exist already are written again. */
export async function storePictures(
  orders: readonly PictureOrder[],
  filesDir: string,
  onDone: (done: number) => void,
): Promise<StoredPicture[]> {
  await mkdir(join(filesDir, 'demo'), { recursive: true });
  const stored: StoredPicture[] = [];
  let next = 0;
  let done = 0;
  const drawn = new Map<string, Promise<StoredPicture>>();
  const drawnOnce = (order: PictureOrder) => {
    const drawing = `${order.kind} ${order.seed} ${order.regionCode}`;
    const picture = drawn.get(drawing) ?? storePicture(order, filesDir);
    drawn.set(drawing, picture);
    return picture;
  };
  const work = async () => {
    for (let index = next++; index < orders.length; index = next++) {
      const order = orders[index] as PictureOrder;
      stored[index] = { ...(await drawnOnce(order)), alt: order.alt };
      onDone(++done);
    }
  };
  const before = sharp.concurrency();
  // Many small pictures: one thread each is quicker than all threads on one.
  sharp.concurrency(1);
  try {
    await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));
  } finally {
    sharp.concurrency(before);
  }
  return stored;
}

/** Stores the logo of each order and returns their addresses, '' where there is no order. */
export async function storeLogos(orders: readonly (LogoOrder | undefined)[], filesDir: string): Promise<string[]> {
  const addresses = new Map<string, string>();
  const stored: string[] = [];
  for (const order of orders) {
    if (!order) {
      stored.push('');
      continue;
    }
    const svg = drawLogo(order);
    let address = addresses.get(svg);
    if (!address) {
      const key = `demo/${pictureHash(svg)}-160.webp`;
      await sharp(Buffer.from(svg)).webp({ quality: 82 }).toFile(join(filesDir, key));
      address = `/files/${key}`;
      addresses.set(svg, address);
    }
    stored.push(address);
  }
  return stored;
}
