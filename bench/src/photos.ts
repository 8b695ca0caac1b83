import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { imagePath } from '@handwise/demo/pictures';
import { processPictures } from '@handwise/server/kit/images';
import sharp from 'sharp';
import { median, getMemory, printBars, printTable, timed } from './load.ts';

const kinds = [
  ...(['house', 'roof', 'garden-plants', 'room-paint', 'deck'] as const),
  ...(['fence', 'switchboard', 'bathroom-plumb', 'kitchen', 'tools'] as const),
];
const [width, height] = [4000, 3000];
const rounds = 3;

/** Ten photos of 12 megapixels to all sizes: the product against sharp alone, in turns. */
export async function benchPhotos(): Promise<void> {
  // The product's picture process has this priority, so that beside other work both wait alike.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const dir = mkdtempSync(join(tmpdir(), 'handwise-photos-'));
  try {
    const photos = await createPhotos(dir);
    const sources = photos.map((path, index) => ({ path, fieldPath: `serviceImages[${index}]`, filename: path }));
    const runs = { 'sharp alone': () => processBare(photos), product: () => processPictures(sources, null) };
    const times = { 'sharp alone': [] as number[], product: [] as number[] };
    for (let round = 0; round <= rounds; round += 1)
      for (const name of ['sharp alone', 'product'] as const) {
        const [ms] = await timed<unknown>(runs[name]);
        // The first round starts the processes.
        if (round > 0) times[name].push(ms / 1_000);
      }
    const [bare, product] = [median(times['sharp alone']), median(times.product)];
    printTable(
      `Ten photos of 12 megapixels in three widths as AVIF and WebP: seconds, medians of ${rounds} rounds`,
      ['sharp alone', 'product'],
      [[bare, product]],
    );
    printBars([
      { what: 'against sharp alone', measured: bare / product, atLeast: 0.8 },
      { what: 'most memory of the picture process, MB', measured: getMemory(pictureProcess()).most, atMost: 300 },
    ]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Demo images enlarged to 12 megapixels with the grain of a camera, as JPEG with EXIF. */
async function createPhotos(dir: string): Promise<string[]> {
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

/** The floor: the same sizes and formats by sharp alone, each photo decoded once, as many at a time as there are cores. */
async function processBare(photos: readonly string[]): Promise<void> {
  sharp.cache(false);
  sharp.concurrency(1);
  const waiting = [...photos];
  const lane = async () => {
    for (let photo = waiting.shift(); photo; photo = waiting.shift()) {
      let size = await sharp(photo).autoOrient().resize(1600).raw().toBuffer({ resolveWithObject: true });
      for (const width of [1600, 800, 400]) {
        const read = () => sharp(size.data, { raw: size.info });
        if (width < size.info.width) size = await read().resize(width).raw().toBuffer({ resolveWithObject: true });
        await Promise.all([read().avif({ quality: 52, effort: 2 }).toBuffer(), read().webp({ quality: 76, effort: 2 }).toBuffer()]);
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
}

/** The child process that the product processes pictures in. */
function pictureProcess(): number {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ').map(Number);
  return children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('images/worker')) ?? 0;
}
