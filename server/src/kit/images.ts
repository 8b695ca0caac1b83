import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import sharp, { type Channels, type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { AppError } from './errors.ts';

export type PictureFormat = 'avif' | 'webp';

/** A file to be stored: its key is the picture's key with `suffix` behind it. */
export type ProcessedFile = { suffix: string; data: Buffer; contentType: string };

/** A picture in every size and format that the site asks for. `width` and `height` are those of the largest, upright. */
export type ProcessedPicture = {
  widths: number[];
  formats: PictureFormat[];
  width: number;
  height: number;
  thumbhash: string;
  files: ProcessedFile[];
};

/** Whose fault it is, for the error: `fieldPath` as in `serviceImages[2]`, and the name that the file has for its owner. */
export type Source = { path: string; fieldPath: string; filename: string };

const widths = [400, 800, 1600] as const;
const maxHeight = 2400;
const maxPixels = 50_000_000;
const logoSize = 256;
const thumbSize = 100;

const formats = ['avif', 'webp'] as const satisfies PictureFormat[];
const contentTypes = { avif: 'image/avif', webp: 'image/webp' } as const satisfies Record<PictureFormat, string>;

// Measured on two cores with pictures of 12 megapixels, all three widths: WebP 100 ms a picture, AVIF 320 ms with effort 1,
// 600 ms with 2, 3,800 ms with 4. AVIF of effort 1 is a fifth smaller than WebP, of 2 a quarter, of 4 a third.
const encoders = {
  avif: (image: Sharp) => image.avif({ quality: 52, effort: 2 }),
  webp: (image: Sharp) => image.webp({ quality: 76, effort: 2 }),
} satisfies Record<PictureFormat, (image: Sharp) => Sharp>;

// Node has four threads for such work. At least one stays free for files and passwords.
const threads = Math.min(availableParallelism(), 3);
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

// Memory is what these three bound: some picture formats are decoded as a whole, at up to 200 MB.
const pictureTurn = atMost(threads);
const decodeTurn = atMost(1);
const encodeTurn = atMost(threads);

const magics: [format: string, matches: (head: Buffer) => boolean][] = [
  ['jpeg', (head) => head.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))],
  ['png', (head) => head.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))],
  ['webp', (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP'],
  // The brand says what is inside: AVIF's are read, those of HEIC (heic, heix, mif1 alone) are not.
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

const refuse = (code: 'unsupported_picture' | 'picture_too_large', { fieldPath }: Source, message: string) =>
  new AppError(code, { fields: [{ field: fieldPath, message }] });

const damaged = (source: Source) => refuse('unsupported_picture', source, `“${source.filename}” is damaged or incomplete.`);

type Raw = { data: Buffer; raw: { width: number; height: number; channels: Channels } };

const asRaw = async (image: Sharp): Promise<Raw> => {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, raw: { width: info.width, height: info.height, channels: info.channels } };
};

const reread = ({ data, raw }: Raw) => sharp(data, { raw });

/**
 * Decodes a picture to plain sRGB pixels, upright, within `width` × `height`. What it is is decided by its first bytes
 * before any decoder sees it, and its size by its header before it is decoded. Throws `unsupported_picture` and
 * `picture_too_large`, both naming the file.
 */
async function decode(source: Source, width: number, height: number): Promise<Raw> {
  const { path, filename } = source;
  const format = await readFormat(path);
  const unreadable = `“${filename}” is not a picture that we can read. Use JPEG, PNG, WebP or AVIF.`;
  if (!format) throw refuse('unsupported_picture', source, unreadable);
  // Part of a picture is not what its owner wanted to show: `error` refuses files that were cut off.
  const image = sharp(path, { failOn: 'error', limitInputPixels: false, sequentialRead: true });
  const header = await image.metadata().catch(() => {
    throw damaged(source);
  });
  if (header.format !== format) throw refuse('unsupported_picture', source, unreadable);
  if (header.width * header.height > maxPixels) {
    throw refuse('picture_too_large', source, `“${filename}” has too many pixels. Use a picture of at most 50 megapixels.`);
  }
  return decodeTurn(() =>
    asRaw(image.autoOrient().resize({ width, height, fit: 'inside', withoutEnlargement: true }).toColourspace('srgb')).catch(() => {
      throw damaged(source);
    }),
  );
}

/** The widths that a picture is stored in: never larger than itself, and no two nearly the same. */
const widthsOf = (width: number) => [...widths.filter((one) => one * 1.25 <= width), width];

async function thumbhashOf(smallest: Raw) {
  const { data, raw } = await asRaw(reread(smallest).resize(thumbSize, thumbSize, { fit: 'inside' }).ensureAlpha());
  return Buffer.from(rgbaToThumbHash(raw.width, raw.height, data)).toString('base64');
}

/**
 * Makes of an uploaded file what the site serves. The file is decoded once and everything is drawn anew from its pixels, so
 * nothing else of it is left: no EXIF, no place, no comment. Waits for its turn where others are being processed.
 * Throws `unsupported_picture` and `picture_too_large`, both naming the file.
 */
export const processPicture = (source: Source): Promise<ProcessedPicture> =>
  pictureTurn(async () => {
    const largest = await decode(source, widths[2], maxHeight);
    const { width, height } = largest.raw;
    const sizes = [largest];
    for (const smaller of widthsOf(width).slice(0, -1).toReversed()) {
      sizes.unshift(await encodeTurn(() => asRaw(reread(sizes[0] ?? largest).resize(smaller))));
    }
    const files = sizes.flatMap((size) =>
      formats.map((format) =>
        encodeTurn(async () => ({
          suffix: `-${size.raw.width}.${format}`,
          data: await encoders[format](reread(size)).toBuffer(),
          contentType: contentTypes[format],
        })),
      ),
    );
    return {
      widths: sizes.map((size) => size.raw.width),
      formats: [...formats],
      width,
      height,
      thumbhash: await thumbhashOf(sizes[0] ?? largest),
      files: await Promise.all(files),
    };
  });

/** A logo as one WebP within 256 × 256, transparent where it was. Throws as `processPicture` does. */
export const processLogo = (source: Source): Promise<ProcessedFile> =>
  pictureTurn(async () => {
    const logo = await decode(source, logoSize, logoSize);
    const data = await encodeTurn(() => reread(logo).webp({ quality: 86, alphaQuality: 90, effort: 4 }).toBuffer());
    return { suffix: '.webp', data, contentType: contentTypes.webp };
  });
