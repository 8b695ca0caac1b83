import { maxSidePixels } from '@handwise/contract/pictures';
import { Refusal } from './refusal.ts';

/**
 * A picture without anything that is not the picture: its pixels as they are packed, how to turn them, and what their
 * colours mean. Decoders see nothing else of an uploaded file.
 */
export type Plain = {
  /** A file of the same format. */
  bytes: Buffer;
  /** As EXIF counts: 1 is upright. */
  orientation: number;
  /** How many bytes decoding takes, about. */
  memory: number;
};

const maxMegapixels = 50;
/** What a decoder may take for one picture. The process is ended at `maxMemory` of `pool.ts`. */
const maxDecoderBytes = 238_000_000;

// Sides are bounded because some decoders keep hundreds of rows, and one row can be a million wide.
/**
 * The memory that decoding takes for a picture that is held as a whole, at so many bytes a pixel. Throws where that, or the
 * picture, is too large. The numbers of the formats were measured with the largest pictures that they let through.
 */
export function memoryOf(width: number, height: number, bytesPerPixel: number): number {
  if (Math.max(width, height) > maxSidePixels) throw new Refusal({ reason: 'too_long' });
  const megapixels = Math.min(maxMegapixels, Math.floor((maxDecoderBytes / bytesPerPixel / 1_000_000) * 2) / 2);
  if (width * height > megapixels * 1_000_000) throw new Refusal({ reason: 'too_many_pixels', megapixels });
  return width * height * bytesPerPixel;
}
