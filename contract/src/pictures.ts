import { count } from './numbers.ts';

/** The formats of uploaded pictures, in the order in which texts list them. */
export const uploadFormats = {
  jpeg: { name: 'JPEG', type: 'image/jpeg', maxMegapixels: 50 },
  png: { name: 'PNG', type: 'image/png', maxMegapixels: 50 },
  webp: { name: 'WebP', type: 'image/webp', maxMegapixels: 50 },
  avif: { name: 'AVIF', type: 'image/avif', maxMegapixels: 12.5 },
} as const satisfies Record<string, { name: string; type: string; maxMegapixels: number }>;
export type UploadFormat = keyof typeof uploadFormats;

const formats = Object.values(uploadFormats);
export const uploadTypes: readonly string[] = formats.map((one) => one.type);

const names: readonly string[] = formats.map((one) => one.name);
/** "JPEG, PNG, WebP or AVIF" */
export const formatNames = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

export const maxPhotoBytes = 5 * 1024 * 1024;
/** Photos with a first message, a quote request or a review. */
export const maxSharedPhotos = 5;
/** Of a photo in a message or with a review. */
export const maxSharedPhotoBytes = 15 * 1024 * 1024;
export const maxLogoBytes = 2 * 1024 * 1024;
export const maxAvatarBytes = 2 * 1024 * 1024;
/** The longest side; phones take panoramas of this width. */
export const maxSidePixels = 16_384;

/** The number of leading bytes that identify a format. */
export const headBytes = 64;

const textAt = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));

/** The format of a file by its first bytes; undefined if it is not one of `uploadFormats`. */
export function getFormat(bytes: Uint8Array): UploadFormat | undefined {
  // Some cameras write other bytes before the next marker.
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'jpeg';
  if (textAt(bytes, 0, 8) === '\u0089PNG\r\n\u001a\n') return 'png';
  if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 12) === 'WEBP') return 'webp';
  // HEIC uses the same container; only the brand distinguishes it. It is not supported, because its decoder is patented.
  if (textAt(bytes, 4, 8) === 'ftyp' && /avi[fs]/.test(textAt(bytes, 8, headBytes))) return 'avif';
  return undefined;
}

export const pictureProblems = {
  unreadable: `is not a picture that we can read. Use ${formatNames}.`,
  damaged: 'is damaged or incomplete.',
  tooManyPixels: (megapixels: number) => `has too many pixels. Use a picture of at most ${megapixels} megapixels.`,
  tooLong: `is too wide or too tall. Use a picture of at most ${count(maxSidePixels)} pixels on each side.`,
  tooCostly: 'takes too much work to read. Save it again as an ordinary JPEG and try that.',
} as const;
