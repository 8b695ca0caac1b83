import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { type LogoChoice, drawLogo } from './logos.ts';

/** Scenes with their number of images in `demo/images`; `alt` is followed by "in" and the town. */
export const scenes = {
  house: { images: 2, alt: 'House front with garden' },
  'house-ladder': { images: 9, alt: 'House with a ladder at the eaves' },
  'house-van': { images: 2, alt: 'Work van in front of a house' },
  'house-paint': { images: 5, alt: 'House being painted' },
  'house-scaffold': { images: 6, alt: 'House with scaffolding' },
  roof: { images: 9, alt: 'Roof and chimney' },
  'lawn-mow': { images: 7, alt: 'Freshly mown lawn and mower' },
  'garden-plants': { images: 5, alt: 'Garden with a wheelbarrow of plants' },
  'garden-water': { images: 5, alt: 'Sprinklers on a lawn' },
  'garden-path': { images: 7, alt: 'Garden path of stepping stones' },
  trees: { images: 8, alt: 'Tree being pruned' },
  'drive-concrete': { images: 7, alt: 'New concrete driveway' },
  'drive-pavers': { images: 4, alt: 'Paved driveway' },
  deck: { images: 6, alt: 'Timber deck behind a house' },
  fence: { images: 10, alt: 'Fence and gate' },
  'site-frame': { images: 6, alt: 'Timber house frame' },
  'site-tower': { images: 4, alt: 'Building under construction with a crane' },
  'site-demolition': { images: 6, alt: 'Digger on a demolition site' },
  camera: { images: 7, alt: 'Security camera under the eaves' },
  keypad: { images: 5, alt: 'Alarm keypad in a hallway' },
  smart: { images: 8, alt: 'Smart home panel on a wall' },
  switchboard: { images: 6, alt: 'New switchboard' },
  'room-clean': { images: 4, alt: 'Clean living room with mop and bucket' },
  'room-plain': { images: 2, alt: 'Tidy living room' },
  'room-lights': { images: 5, alt: 'Living room with pendant lights' },
  'room-paint': { images: 6, alt: 'Room being painted' },
  office: { images: 3, alt: 'Clean office' },
  'bathroom-clean': { images: 5, alt: 'Clean bathroom' },
  'bathroom-plumb': { images: 5, alt: 'Bathroom with new fittings' },
  'kitchen-clean': { images: 4, alt: 'Clean kitchen' },
  'kitchen-oven': { images: 3, alt: 'Kitchen with oven' },
  'kitchen-gas': { images: 3, alt: 'Kitchen with gas hob' },
  kitchen: { images: 3, alt: 'Kitchen with new cupboards' },
  laundry: { images: 3, alt: 'Laundry with washing machine and dryer' },
  'heat-pump': { images: 10, alt: 'Heat pump' },
  tiles: { images: 8, alt: 'Wall being tiled' },
  lock: { images: 8, alt: 'Door with a new lock' },
  cylinder: { images: 3, alt: 'Hot water cylinder' },
  'window-clean': { images: 9, alt: 'Large window being cleaned' },
  'window-fit': { images: 7, alt: 'New window being fitted' },
  'sink-pipes': { images: 4, alt: 'Pipes below a sink' },
  'sink-leak': { images: 4, alt: 'Leak below a sink' },
  trench: { images: 5, alt: 'Trench with a new pipe' },
  skirting: { images: 7, alt: 'Bait station at a skirting board' },
  shelf: { images: 5, alt: 'Bookcase being assembled' },
  organised: { images: 2, alt: 'Organised shelves' },
  tools: { images: 5, alt: 'Tools above a workbench' },
  'tools-wood': { images: 4, alt: 'Carpentry tools above a workbench' },
  'tools-pipes': { images: 5, alt: 'Plumbing tools above a workbench' },
  'tools-wires': { images: 3, alt: 'Electrical tools above a workbench' },
  'tools-paint': { images: 7, alt: 'Brushes and paint on a workbench' },
  'tools-earth': { images: 1, alt: 'Hand tools above a workbench' },
} as const satisfies Record<string, { images: number; alt: string }>;

export type SceneKind = keyof typeof scenes;

/** `number` counts the scene's images from 1. */
export type PictureChoice = { kind: SceneKind; number: number; alt: string };
export type StoredPicture = { key: string; widths: number[]; width: number; height: number; thumbhash: string; alt: string };

export const imagePath = ({ kind, number }: Pick<PictureChoice, 'kind' | 'number'>) =>
  join(import.meta.dirname, `../images/${kind}-${number}.webp`);

/** 16 hexadecimal digits of the content, so that a changed image has a new URL. */
const hashOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

async function storePicture(choice: PictureChoice, filesDir: string): Promise<Omit<StoredPicture, 'alt'>> {
  const large = await readFile(imagePath(choice));
  const key = `demo/${hashOf(large)}`;
  const { width, height } = await sharp(large).metadata();
  const small = await sharp(large).resize(400).webp({ quality: 74 }).toBuffer();
  const thumb = await sharp(small).resize(64, 48).ensureAlpha().raw().toBuffer();
  await Promise.all([writeFile(join(filesDir, `${key}-800.webp`), large), writeFile(join(filesDir, `${key}-400.webp`), small)]);
  return { key, widths: [400, 800], width, height, thumbhash: Buffer.from(rgbaToThumbHash(64, 48, thumb)).toString('base64') };
}

/** Stores each image once below `filesDir`. Returns one picture per choice, in order. */
export async function storePictures(choices: readonly PictureChoice[], filesDir: string): Promise<StoredPicture[]> {
  await mkdir(join(filesDir, 'demo'), { recursive: true });
  const stored = new Map<string, ReturnType<typeof storePicture>>();
  return Promise.all(
    choices.map(async (choice) => {
      const path = imagePath(choice);
      const picture = stored.get(path) ?? storePicture(choice, filesDir);
      stored.set(path, picture);
      return { ...(await picture), alt: choice.alt };
    }),
  );
}

/** Stores logos and returns their URLs, '' for listings without one. */
export async function storeLogos(choices: readonly (LogoChoice | undefined)[], filesDir: string): Promise<string[]> {
  const urls = new Map<string, string>();
  const stored: string[] = [];
  for (const choice of choices) {
    if (!choice) {
      stored.push('');
      continue;
    }
    const svg = drawLogo(choice);
    let url = urls.get(svg);
    if (!url) {
      const key = `demo/${hashOf(svg)}-160.webp`;
      await sharp(Buffer.from(svg)).webp({ quality: 82 }).toFile(join(filesDir, key));
      url = `/files/${key}`;
      urls.set(svg, url);
    }
    stored.push(url);
  }
  return stored;
}
