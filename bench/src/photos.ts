import { availableParallelism, setPriority } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { imagePath, scenes } from '@handwise/demo/pictures';
import { processFacts, startedProcesses } from '@handwise/sandbox/testing/processes';
import { niceness, processPictures } from '@handwise/server/kit/images';
import { median, printBars, timed } from './load.ts';

const kinds = (Object.keys(scenes) as (keyof typeof scenes)[]).filter((_, index) => index % 4 === 0).slice(0, 10);

/** Ten photos of 12 megapixels in three widths as AVIF and WebP: the product against sharp alone, in turns. */
export async function benchPhotos(dir: string): Promise<void> {
  // The product's picture process has this priority, so that beside other work both wait alike.
  setPriority(niceness);
  const photos = await createPhotos(dir);
  const sources = photos.map((path, index) => ({ path, fieldPath: `serviceImages[${index}]`, filename: path }));
  const [bare, product]: [number[], number[]] = [[], []];
  for (let round = 0; round < 3; round += 1) {
    bare.push((await timed(() => processBare(photos)))[0]);
    product.push((await timed(() => processPictures(sources, null)))[0]);
  }
  const [bareMs, productMs] = [median(bare), median(product)];
  console.log(`\nTen photos of 12 megapixels, medians: sharp alone ${bareMs.toFixed(0)} ms, product ${productMs.toFixed(0)} ms`);
  const [pictureProcess = 0] = startedProcesses('images/worker');
  printBars([
    { what: 'against sharp alone', measured: bareMs / productMs, atLeast: 0.8 },
    { what: 'most memory of the picture process, MB', measured: processFacts(pictureProcess).peakMegabytes, atMost: 300 },
  ]);
}

/** Demo images enlarged to 12 megapixels, as JPEG. */
async function createPhotos(dir: string): Promise<string[]> {
  const photos = kinds.map((kind) => ({ image: imagePath({ kind, number: 1 }), path: join(dir, `${kind}.jpg`) }));
  for (const { image, path } of photos) await sharp(image).resize(4000, 3000).jpeg({ quality: 90 }).toFile(path);
  return photos.map(({ path }) => path);
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
