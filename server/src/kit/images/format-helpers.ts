import { maxSidePixels } from '@handwise/contract/pictures';

/**
 * A picture without metadata: its compressed pixels, orientation and colour profile. Decoders see nothing else of an uploaded file.
 */
export type SanitizedImage = {
  /** A file of the same format. */
  bytes: Buffer;
  /** EXIF orientation, 1 to 8: 1 is upright. */
  orientation: number;
  /** Estimated memory of decoding, in bytes. */
  memory: number;
};

const maxMegapixels = 50;
/** The limit of one picture. The process is killed at the memory limit of `pool.ts`. */
const maxDecoderBytes = 238_000_000;

// Sides are bounded because some decoders keep hundreds of rows, and one row can be a million wide.
/**
 * The memory for decoding a picture that is held as a whole. Throws if that or the picture is too large. The bytes per pixel of each format were
 * measured with the largest accepted pictures.
 */
export function estimateMemory(width: number, height: number, bytesPerPixel: number): number {
  if (Math.max(width, height) > maxSidePixels) throw new ImageError({ reason: 'too_long' });
  const megapixels = Math.min(maxMegapixels, Math.floor((maxDecoderBytes / bytesPerPixel / 1_000_000) * 2) / 2);
  if (width * height > megapixels * 1_000_000) throw new ImageError({ reason: 'too_many_pixels', megapixels });
  return width * height * bytesPerPixel;
}

const orientationTag = 0x0112;
const shortType = 3;

/** The EXIF orientation, 1 to 8; 1 if it can't be read. */
export function readOrientation(exif: Buffer): number {
  const order = exif.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return 1;
  const isLittle = order === 'II';
  const short = (at: number) => (isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at));
  const long = (at: number) => (isLittle ? exif.readUInt32LE(at) : exif.readUInt32BE(at));
  try {
    const directory = long(4);
    const entries = short(directory);
    for (let at = directory + 2; at < directory + 2 + entries * 12; at += 12) {
      if (short(at) !== orientationTag) continue;
      const value = short(at + 2) === shortType ? short(at + 8) : 1;
      return value >= 1 && value <= 8 ? value : 1;
    }
  } catch {
    // Truncated, or an offset is out of range.
  }
  return 1;
}

// A phone's profile takes 500 bytes, a screen's 4 kB. Printer profiles are larger and not needed.
export const maxProfileBytes = 64_000;

/** A valid RGB or grey colour profile; undefined if it is invalid or too large. */
export function readColourProfile(data: Buffer | undefined): Buffer | undefined {
  if (!data || data.length < 132 || data.length > maxProfileBytes) return undefined;
  const size = data.readUInt32BE(0);
  const isProfile = data.toString('latin1', 36, 40) === 'acsp' && size >= 132 && size <= data.length;
  return isProfile && /^(RGB |GRAY)$/.test(data.toString('latin1', 16, 20)) ? data.subarray(0, size) : undefined;
}

/** Why a file is rejected. The texts are in `images.ts`. */
export type ImageErrorReason =
  | { reason: 'unreadable' | 'damaged' | 'too_long' | 'too_costly' }
  | { reason: 'too_many_pixels'; megapixels: number };

export class ImageError extends Error {
  readonly why: ImageErrorReason;

  constructor(why: ImageErrorReason) {
    super(why.reason);
    this.why = why;
  }
}

export const damaged = () => new ImageError({ reason: 'damaged' });
export const unreadable = () => new ImageError({ reason: 'unreadable' });
export const tooCostly = () => new ImageError({ reason: 'too_costly' });
