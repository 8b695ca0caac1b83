import { plainAvif } from './avif.ts';
import { plainJpeg } from './jpeg.ts';
import type { Plain } from './plain.ts';
import { plainPng } from './png.ts';
import { damaged, unreadable } from './refusal.ts';
import { plainWebp } from './webp.ts';
import { type UploadFormat, formatOf } from '@handwise/contract/pictures';

const readers = { jpeg: plainJpeg, png: plainPng, webp: plainWebp, avif: plainAvif } satisfies Record<
  UploadFormat,
  (file: Buffer) => Plain
>;

/**
 * Takes from an uploaded file everything that is not the picture. Comments, profiles and places unpack to gigabytes where
 * somebody means harm, so no decoder gets to see them. What the file is is decided by its first bytes. Throws a `Refusal`.
 */
export function strip(file: Buffer): Plain {
  const format = formatOf(file);
  if (!format) throw unreadable();
  try {
    return readers[format](file);
  } catch (error) {
    // It says that more is coming than there is.
    if (error instanceof RangeError) throw damaged();
    throw error;
  }
}
