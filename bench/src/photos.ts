import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { imagePath } from '@handwise/demo/pictures';
import { processPictures } from '@handwise/server/kit/images';
import sharp from 'sharp';
import { median, mostMemoryOf, printBars, printTable } from './load.ts';

const kinds = [
  'house',
  'roof',
  'garden-plants',
  'room-paint',
  'deck',
  'fence',
  'switchboard',
  'bathroom-plumb',
  'kitchen',
  'tools',
] as const;
const [width, height] = [4000, 3000];
const rounds = 3;

/** Demo images enlarged to 12 megapixels with the grain of a camera, as JPEG with EXIF. */
async function drawPhotos(dir: string) {
  const grain = sharp({ create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 10 } } });
  const input = await grain.png({ compressionLevel: 1 }).toBuffer();
  const paths: string[] = [];
  for (const kind of kinds) {
    const path = join(dir, `${kind}.jpg`);
    const scene = await sharp(imagePath({ kind, number: 1 }))
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

/** The seconds of a core that a process has used. They tell more than the clock where the machine has other work. */
function usedSeconds(id: number) {
  const [user, system] = readFileSync(`/proc/${id}/stat`, 'utf8').replace(/.*\) /s, '').split(' ').slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) / 100;
}

/** The process that the product works on pictures in. */
const workerOf = (id: number) =>
  readFileSync(`/proc/${id}/task/${id}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number)
    .find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('images/worker'));

async function workBare(bare: ChildProcess) {
  bare.send('go');
  await once(bare, 'message');
}

/** Ten photos of 12 megapixels to all sizes: the product against sharp alone. Rounds are taken in turns. */
export async function benchPhotos() {
  const dir = mkdtempSync(join(tmpdir(), 'handwise-photos-'));
  try {
    const photos = await drawPhotos(dir);
    const bare = fork(join(import.meta.dirname, 'photos-bare.ts'), photos);
    await once(bare, 'message');
    // The product lets visitors' pages go first. Beside other work the two can only be compared where both do.
    if (bare.pid) setPriority(bare.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    const sources = photos.map((path, index) => ({ path, fieldPath: `serviceImages[${index}]`, filename: path }));
    // The first round starts the processes.
    await workBare(bare);
    await processPictures(sources, null);
    const worker = workerOf(process.pid) ?? 0;
    const runs = {
      'sharp alone': { id: bare.pid ?? 0, work: () => workBare(bare), times: [] as number[], used: [] as number[] },
      product: { id: worker, work: () => processPictures(sources, null), times: [] as number[], used: [] as number[] },
    };
    for (let round = 0; round < rounds; round += 1) {
      for (const { id, work, times, used } of Object.values(runs)) {
        const [begun, before] = [performance.now(), usedSeconds(id)];
        await work();
        times.push((performance.now() - begun) / 1000);
        used.push(usedSeconds(id) - before);
      }
    }
    const floor = runs['sharp alone'];
    printTable(
      `Ten photos of 12 megapixels in three widths as AVIF and WebP: seconds, medians of ${rounds} rounds`,
      ['', 'time', 'ratio', 'of cores', 'ratio', 'most memory, MB'],
      Object.entries(runs).map(([name, { id, times, used }]) => [
        name,
        median(times),
        median(floor.times) / median(times),
        median(used),
        median(floor.used) / median(used),
        mostMemoryOf(id),
      ]),
    );
    printBars([
      { what: 'against sharp alone', measured: median(floor.times) / median(runs.product.times), atLeast: 0.8 },
      { what: 'most memory, MB', measured: mostMemoryOf(runs.product.id), atMost: 300 },
    ]);
    bare.disconnect();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
