import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import sharp, { type Channels, type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import type { Job, Outcome, PictureFormat, ProcessedFile, ProcessedPicture, RefusalReason } from './images.ts';

// The process that images.ts starts: it takes jobs over its channel and ends with it.

const widths = [400, 800, 1600] as const;
const maxHeight = 2400;
/** An AVIF is decoded as a whole, at 20 bytes a pixel; the others mostly line by line. */
const maxMegapixels = { jpeg: 50, png: 50, webp: 50, heif: 25 } as const;
const logoSize = 256;
const thumbSize = 100;
/** No picture within the limits takes a tenth of it. */
const maxSeconds = 60;

const formats = ['avif', 'webp'] as const satisfies PictureFormat[];
const contentTypes = { avif: 'image/avif', webp: 'image/webp' } as const satisfies Record<PictureFormat, string>;

const encoders = {
  avif: (image: Sharp) => image.avif({ quality: 52, effort: 2 }),
  webp: (image: Sharp) => image.webp({ quality: 76, effort: 2 }),
} satisfies Record<PictureFormat, (image: Sharp) => Sharp>;

// Pictures side by side, each on one thread, are quicker than one picture on all.
const threads = availableParallelism();
sharp.cache(false);
sharp.concurrency(1);

function atMost(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

// What these bound is memory: a decoder may need 500 MB for the largest picture that is taken, an encoder 30 MB.
const pictureTurn = atMost(threads);
const decodeTurn = atMost(1);
const encodeTurn = atMost(threads);

/** A picture that is refused, and why. */
class Refusal extends Error {
  readonly why: RefusalReason;

  constructor(why: RefusalReason) {
    super(why.reason);
    this.why = why;
  }
}

const damaged = () => {
  throw new Refusal({ reason: 'damaged' });
};

const magics: [format: keyof typeof maxMegapixels, matches: (head: Buffer) => boolean][] = [
  ['jpeg', (head) => head.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))],
  ['png', (head) => head.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))],
  ['webp', (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP'],
  // The brands say what is inside: AVIF's are read; HEIC needs a decoder that the library comes without.
  ['heif', (head) => head.toString('latin1', 4, 8) === 'ftyp' && /avi[fs]/.test(head.toString('latin1', 8))],
];

async function readFormat(path: string) {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    const head = buffer.subarray(0, bytesRead);
    return magics.find(([, matches]) => matches(head))?.[0];
  } finally {
    await file.close();
  }
}

type Raw = { data: Buffer; raw: { width: number; height: number; channels: Channels } };

const asRaw = async (image: Sharp): Promise<Raw> => {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, raw: { width: info.width, height: info.height, channels: info.channels } };
};

const reread = ({ data, raw }: Raw) => sharp(data, { raw });

/**
 * Decodes a picture to plain sRGB pixels, upright, within `width` × `height`. What it is is decided by its first bytes
 * before any decoder sees it, and its size by its header before it is decoded.
 */
async function decode(path: string, width: number, height: number): Promise<Raw> {
  const format = await readFormat(path);
  if (!format) throw new Refusal({ reason: 'unreadable' });
  // Half a picture is not what its owner wanted to show: `error` refuses files that were cut off.
  const image = sharp(path, { failOn: 'error', limitInputPixels: false, sequentialRead: true });
  const header = await image.metadata().catch(damaged);
  if (header.format !== format) throw new Refusal({ reason: 'unreadable' });
  const megapixels = maxMegapixels[format];
  if (header.width * header.height > megapixels * 1_000_000) throw new Refusal({ reason: 'too_many_pixels', megapixels });
  const upright = image.autoOrient().resize({ width, height, fit: 'inside', withoutEnlargement: true }).toColourspace('srgb');
  return decodeTurn(() => asRaw(upright).catch(damaged));
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
    const encoded = formats.map((format) =>
      encodeTurn(async () => ({
        suffix: `-${smaller}.${format}`,
        data: await encoders[format](reread(current)).toBuffer(),
        contentType: contentTypes[format],
      })),
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
  // A decoder that hangs cannot be stopped, but its process can. It is started again for the next picture.
  const watch = setTimeout(() => process.exit(1), maxSeconds * 1000);
  try {
    return kind === 'picture' ? { id, kind, result: await processPicture(path) } : { id, kind, result: await processLogo(path) };
  } catch (error) {
    if (error instanceof Refusal) return { id, kind: 'refused', ...error.why };
    return { id, kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    clearTimeout(watch);
  }
}

process.on('message', (job: Job) => {
  void pictureTurn(() => work(job)).then((outcome) => process.send?.(outcome));
});
process.on('disconnect', () => process.exit(0));
// A terminal's Ctrl-C reaches this process too. The server ends it when the requests under way are done.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
