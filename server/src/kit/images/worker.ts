import { readFile } from 'node:fs/promises';
import sharp, { type Channels, type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { ImageError, damaged } from './format-helpers.ts';
import type { PictureFormat, ProcessedFile, ProcessedPicture, PictureJob, WorkerMessage, Outcome } from './pool.ts';
import { limitConcurrency, createBudget, watchResources } from './resource-limits.ts';
import { sanitizeImage } from './sanitize.ts';

// The child process of pool.ts: it receives jobs over its IPC channel and ends with it.

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

// Several pictures in parallel, each on one thread, are faster than one picture on all threads.
sharp.cache(false);
sharp.concurrency(1);

const decodeQueue = limitConcurrency(1);
const withMemory = createBudget(190_000_000);
const { decoding, encoding } = watchResources({ memory: Number(process.argv[2]), seconds: Number(process.argv[3]) });

type Raw = { data: Buffer; raw: { width: number; height: number; channels: Channels } };

const toRaw = async (image: Sharp): Promise<Raw> => {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, raw: { width: info.width, height: info.height, channels: info.channels } };
};

const reread = ({ data, raw }: Raw) => sharp(data, { raw });

// For EXIF orientations 1 to 8: rotation in degrees, then horizontal mirroring.
const turns = [0, 0, 180, 180, 270, 90, 90, 270];
const isMirrored = [false, true, false, true, true, false, true, false];

/** Decodes a picture to plain sRGB pixels, upright, within `width` × `height`. */
async function decode(path: string, width: number, height: number): Promise<Raw> {
  // Files are read one at a time too, so that waiting ones take no memory.
  const { small, orientation } = await decodeQueue(async () => {
    const { bytes, orientation, memory } = sanitizeImage(await readFile(path));
    const isSideways = orientation > 4;
    // `error` rejects truncated files.
    const image = sharp(bytes, { failOn: 'error', limitInputPixels: false, sequentialRead: true }).resize({
      width: isSideways ? height : width,
      height: isSideways ? width : height,
      fit: 'inside',
      withoutEnlargement: true,
    });
    const decoded = () =>
      toRaw(image).catch(() => {
        throw damaged();
      });
    return { small: await withMemory(memory, () => decoding(decoded)), orientation };
  });
  // Rotated after scaling, because rotating needs the whole picture in memory.
  if (orientation === 1) return small;
  return toRaw(
    reread(small)
      .rotate(turns[orientation - 1] ?? 0)
      .flop(isMirrored[orientation - 1] ?? false),
  );
}

/** The stored widths of a picture: never larger than itself, and no two nearly the same. */
const listWidths = (width: number) => [...widths.filter((one) => one * 1.25 <= width), width];

async function computeThumbhash(smallest: Raw) {
  const { data, raw } = await toRaw(reread(smallest).resize(thumbSize, thumbSize, { fit: 'inside' }).ensureAlpha());
  return Buffer.from(rgbaToThumbHash(raw.width, raw.height, data)).toString('base64');
}

async function processPicture(path: string): Promise<ProcessedPicture> {
  let size = await decode(path, widths[2], maxHeight);
  const { width, height } = size.raw;
  // The picture is decoded once, and each size is scaled from the next larger one.
  const files: ProcessedFile[] = [];
  const sizes = listWidths(width);
  for (const smaller of sizes.toReversed()) {
    if (smaller < size.raw.width) size = await toRaw(reread(size).resize(smaller));
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
  return { widths: sizes, formats: [...formats], width, height, thumbhash: await computeThumbhash(size), files };
}

async function processLogo(path: string): Promise<ProcessedFile> {
  const logo = await decode(path, logoSize, logoSize);
  const data = await reread(logo).webp({ quality: 86, effort: 4 }).toBuffer();
  return { suffix: '.webp', data, contentType: contentTypes.webp };
}

// On a home screen phones cut a mask out of the middle: 80% of the width is safe. An icon without a ground would be black on iOS.
const siteIcons = [
  { suffix: '-180.png', size: 180, logo: 148, background: '#ffffff' },
  { suffix: '-192.png', size: 192, logo: 192, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  { suffix: '-512.png', size: 512, logo: 512, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  { suffix: '-mask.png', size: 512, logo: 360, background: '#ffffff' },
] as const;

/** The logo of the site as every place needs it: WebP for pages, PNG for emails, documents and home screens. */
async function processSiteLogo(path: string): Promise<ProcessedFile[]> {
  const logo = await decode(path, 512, 512);
  const webp = await reread(logo)
    .resize(logoSize, logoSize, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 90, effort: 4 })
    .toBuffer();
  const icons = siteIcons.map(async ({ suffix, size, logo: inner, background }) => {
    const { data, raw } = await toRaw(reread(logo).resize(inner, inner, { fit: 'inside' }).ensureAlpha());
    const canvas = sharp({ create: { width: size, height: size, channels: 4, background } });
    return {
      suffix,
      data: await canvas
        .composite([{ input: data, raw }])
        .png({ compressionLevel: 9 })
        .toBuffer(),
      contentType: 'image/png',
    };
  });
  return [{ suffix: '.webp', data: webp, contentType: contentTypes.webp }, ...(await Promise.all(icons))];
}

async function work({ id, kind, path }: PictureJob): Promise<Outcome> {
  try {
    if (kind === 'picture') return { id, kind, result: await processPicture(path) };
    return kind === 'logo' ? { id, kind, result: await processLogo(path) } : { id, kind, result: await processSiteLogo(path) };
  } catch (error) {
    if (error instanceof ImageError) return { id, kind: 'refused', why: error.why };
    return { id, kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

const report = (message: WorkerMessage) => process.send?.(message);
process.on('message', (job: PictureJob) => void work(job).then(report));
process.on('disconnect', () => process.exit(0));
// Ctrl-C in a terminal reaches this process too. The server ends it after its running requests.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
report({ kind: 'ready' });
