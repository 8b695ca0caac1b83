import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawPicture } from '@handwise/sandbox/demo/pictures';
import { processPictures } from '@handwise/server/kit/images';
import sharp from 'sharp';
import { median, printTable } from './load.ts';

const kinds = ['house', 'roof', 'view', 'garden-plants', 'deck', 'fence', 'switchboard', 'bathroom-plumb', 'kitchen', 'tools'] as const;
const [width, height] = [4000, 3000];

/** Drawn scenes of 12 megapixels with the grain of a camera, as JPEG with EXIF. */
async function drawPhotos(dir: string) {
  const grain = sharp({ create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 10 } } });
  const input = await grain.png({ compressionLevel: 1 }).toBuffer();
  const paths: string[] = [];
  for (const [seed, kind] of kinds.entries()) {
    const path = join(dir, `${kind}.jpg`);
    const scene = await sharp(Buffer.from(drawPicture({ kind, seed, regionCode: 1 })))
      .resize(width, height)
      .png({ compressionLevel: 1 })
      .toBuffer();
    await sharp(scene)
      .composite([{ input, blend: 'soft-light' }])
      .jpeg({ quality: 90 })
      .withExif({ IFD0: { Make: 'Camera' } })
      .toFile(path);
    paths.push(path);
  }
  return paths;
}

/** The most memory that a process has had, in MB. */
const peakMemory = (id: number) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1024;

const childrenOf = (id: number) => readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').trim().split(' ').map(Number);

async function timed(work: () => Promise<unknown>) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function workBare(bare: ChildProcess) {
  bare.send('go');
  await once(bare, 'message');
}

/** Ten photos of 12 megapixels to all sizes: the product against sharp alone. Times are medians of rounds taken in turns. */
export async function benchPhotos() {
  const dir = mkdtempSync(join(tmpdir(), 'handwise-photos-'));
  try {
    const photos = await drawPhotos(dir);
    const bare = fork(join(import.meta.dirname, 'photos-bare.ts'), photos);
    await once(bare, 'message');
    // The product lets visitors' pages go first. Beside other work the two can only be compared where both do.
    if (bare.pid) setPriority(bare.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    const sources = photos.map((path, index) => ({ path, fieldPath: `serviceImages[${index}]`, filename: path }));
    const times: { bare: number[]; product: number[] } = { bare: [], product: [] };
    for (let round = 0; round < 6; round += 1) {
      const [one, other] = [await timed(() => workBare(bare)), await timed(() => processPictures(sources))];
      // The first starts the processes.
      if (round > 0) times.bare.push(one);
      if (round > 0) times.product.push(other);
    }
    const worker = childrenOf(process.pid).find((id) => id !== bare.pid) ?? 0;
    const [bareTime, productTime] = [median(times.bare), median(times.product)];
    printTable(
      'Ten photos of 12 megapixels in three widths as AVIF and WebP, medians of 5 rounds',
      ['', 's', 'photos/s', 'ratio', 'most memory, MB'],
      [
        ['sharp alone', bareTime / 1000, 10_000 / bareTime, 1, peakMemory(bare.pid ?? 0)],
        ['product', productTime / 1000, 10_000 / productTime, bareTime / productTime, peakMemory(worker)],
      ],
    );
    bare.disconnect();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
