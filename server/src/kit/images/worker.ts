import { readFile } from 'node:fs/promises';
import sharp, { type Channels, type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import type { PictureFormat, ProcessedFile, ProcessedPicture } from './processed.ts';
import { atMost, budget } from './budget.ts';
import type { Job, Message, Outcome } from './pool.ts';
import { Refusal, damaged } from './refusal.ts';
import { strip } from './strip.ts';
import { watchOver } from './watch.ts';

// The process that pool.ts starts: it takes jobs over its channel and ends with it.

const widths = [400, 800, 1600] as const;
const maxHeight = 2400;
const logoSize = 256;
const thumbSize = 100;

const formats = ['avif', 'webp'] as const satisfies PictureFormat[];
const contentTypes = { avif: 'image/avif', webp: 'image/webp' } as const satisfies Record<PictureFormat, string>;

const encoders = {
  avif: (image: Sharp) => image.avif({ quality: 52, effort: 2 }),
  webp: (image: Sharp) => image.webp({ quality: 76, effort: 2 }),
} satisfies Record<PictureFormat, (image: Sharp) => Sharp>;
const encoderBytesPerPixel = { avif: 36, webp: 12 } as const satisfies Record<PictureFormat, number>;

// Pictures side by side, each on one thread, are quicker than one picture on all.
sharp.cache(false);
sharp.concurrency(1);

const decodeTurn = atMost(1);
const withMemory = budget(190_000_000);
const { decoding, encoding } = watchOver({ memory: Number(process.argv[2]), seconds: Number(process.argv[3]) });

type Raw = { data: Buffer; raw: { width: number; height: number; channels: Channels } };

const asRaw = async (image: Sharp): Promise<Raw> => {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, raw: { width: info.width, height: info.height, channels: info.channels } };
};

const reread = ({ data, raw }: Raw) => sharp(data, { raw });

// Of what EXIF counts from 1 to 8: turned by so many degrees, then mirrored left to right.
const turns = [0, 0, 180, 180, 270, 90, 90, 270];
const isMirrored = [false, true, false, true, true, false, true, false];

/** Decodes a picture to plain sRGB pixels, upright, within `width` × `height`. */
async function decode(path: string, width: number, height: number): Promise<Raw> {
  // Files are read in turn as well, so that those that wait are not held twice.
  const { small, orientation } = await decodeTurn(async () => {
    const { bytes, orientation, memory } = strip(await readFile(path));
    const isSideways = orientation > 4;
    // Half a picture is not what its owner wanted to show: `error` refuses files that were cut off.
    const image = sharp(bytes, { failOn: 'error', limitInputPixels: false, sequentialRead: true }).resize({
      width: isSideways ? height : width,
      height: isSideways ? width : height,
      fit: 'inside',
      withoutEnlargement: true,
    });
    const decoded = () =>
      asRaw(image).catch(() => {
        throw damaged();
      });
    return { small: await withMemory(memory, () => decoding(decoded)), orientation };
  });
  // Turned when it is small: to turn it first, all of it would have to be there at once.
  if (orientation === 1) return small;
  return asRaw(
    reread(small)
      .rotate(turns[orientation - 1] ?? 0)
      .flop(isMirrored[orientation - 1] ?? false),
  );
}

/** The widths that a picture is stored in: never larger than itself, and no two nearly the same. */
const widthsOf = (width: number) => [...widths.filter((one) => one * 1.25 <= width), width];

async function thumbhashOf(smallest: Raw) {
  const { data, raw } = await asRaw(reread(smallest).resize(thumbSize, thumbSize, { fit: 'inside' }).ensureAlpha());
  return Buffer.from(rgbaToThumbHash(raw.width, raw.height, data)).toString('base64');
}

async function processPicture(path: string): Promise<ProcessedPicture> {
  let size = await decode(path, widths[2], maxHeight);
  const { width, height } = size.raw;
  // The picture is decoded once, and each size is made from the one above it.
  const files: ProcessedFile[] = [];
  const sizes = widthsOf(width);
  for (const smaller of sizes.toReversed()) {
    if (smaller < size.raw.width) size = await asRaw(reread(size).resize(smaller));
    const current = size;
    const pixels = current.raw.width * current.raw.height;
    const encoded = formats.map((format) =>
      withMemory(pixels * encoderBytesPerPixel[format], () =>
        encoding(async () => ({
          suffix: `-${smaller}.${format}`,
          data: await encoders[format](reread(current)).toBuffer(),
          contentType: contentTypes[format],
        })),
      ),
    );
    files.push(...(await Promise.all(encoded)));
  }
  return { widths: sizes, formats: [...formats], width, height, thumbhash: await thumbhashOf(size), files };
}

async function processLogo(path: string): Promise<ProcessedFile> {
  const logo = await decode(path, logoSize, logoSize);
  const data = await reread(logo).webp({ quality: 86, effort: 4 }).toBuffer();
  return { suffix: '.webp', data, contentType: contentTypes.webp };
}

async function work({ id, kind, path }: Job): Promise<Outcome> {
  try {
    return kind === 'picture' ? { id, kind, result: await processPicture(path) } : { id, kind, result: await processLogo(path) };
  } catch (error) {
    if (error instanceof Refusal) return { id, kind: 'refused', why: error.why };
    return { id, kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

const say = (message: Message) => process.send?.(message);
process.on('message', (job: Job) => void work(job).then(say));
process.on('disconnect', () => process.exit(0));
// A terminal's Ctrl-C reaches this process too. The server ends it when the requests under way are done.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
say({ kind: 'ready' });
