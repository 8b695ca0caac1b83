import { type UploadFormat, getFormat } from '@handwise/contract/pictures';
import { sanitizeAvif } from './avif.ts';
import { type SanitizedImage, damaged, unreadable } from './format-helpers.ts';
import { sanitizeJpeg } from './jpeg.ts';
import { sanitizePng } from './png.ts';
import { sanitizeWebp } from './webp.ts';

const readers = { jpeg: sanitizeJpeg, png: sanitizePng, webp: sanitizeWebp, avif: sanitizeAvif } satisfies Record<
  UploadFormat,
  (file: Buffer) => SanitizedImage
>;

/**
 * Removes everything but the picture from an uploaded file, because malicious metadata can unpack to gigabytes in a decoder. The format is detected
 * from the first bytes. Throws an `ImageError`.
 */
export function sanitizeImage(file: Buffer): SanitizedImage {
  const format = getFormat(file);
  if (!format) throw unreadable();
  try {
    return readers[format](file);
  } catch (error) {
    // A length beyond the end of the file.
    if (error instanceof RangeError) throw damaged();
    throw error;
  }
}
