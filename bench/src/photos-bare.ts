import { availableParallelism } from 'node:os';
import sharp from 'sharp';

// What the machine gives at most: the same sizes and formats by sharp alone, without checks, errors, or limits. Each photo is
// decoded once, and as many are in work as there are cores.
sharp.cache(false);
sharp.concurrency(1);
const photos = process.argv.slice(2);

async function work(path: string) {
  let size = await sharp(path).autoOrient().resize(1600).raw().toBuffer({ resolveWithObject: true });
  for (const width of [1600, 800, 400]) {
    const read = () => sharp(size.data, { raw: size.info });
    if (width < size.info.width) size = await read().resize(width).raw().toBuffer({ resolveWithObject: true });
    await Promise.all([read().avif({ quality: 52, effort: 2 }).toBuffer(), read().webp({ quality: 76, effort: 2 }).toBuffer()]);
  }
}

async function workAll() {
  let next = 0;
  const line = async () => {
    for (let photo = photos[next++]; photo; photo = photos[next++]) await work(photo);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, line));
}

process.on('message', () => void workAll().then(() => process.send?.('done')));
process.send?.('ready');
