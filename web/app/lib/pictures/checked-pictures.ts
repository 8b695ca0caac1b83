import { maxPhotoBytes, getFormat, headBytes, maxSidePixels, pictureProblems, uploadFormats } from '@handwise/contract/pictures';
import { formatMegabytes } from '../format.ts';

type Opened = { width: number; height: number; close(): void };

/** Whether a file's first bytes are those of a supported picture format. */
export async function hasPictureFormat(file: Blob): Promise<boolean> {
  try {
    return getFormat(await getHead(file)) !== undefined;
  } catch {
    return false;
  }
}

const getHead = async (file: Blob) => new Uint8Array(await file.slice(0, headBytes).arrayBuffer());

/** The server's message for an unusable picture, or null. The browser decodes it, so damaged or oversized files are found before uploading. */
export async function findPictureProblem(file: Blob, open: (file: Blob) => Promise<Opened> = createImageBitmap): Promise<string | null> {
  const format = getFormat(await getHead(file).catch(() => new Uint8Array()));
  if (!format) return pictureProblems.unreadable;
  const opened = await open(file).catch(() => null);
  if (!opened) return pictureProblems.damaged;
  const { width, height } = opened;
  opened.close();
  const { maxMegapixels } = uploadFormats[format];
  if (Math.max(width, height) > maxSidePixels) return pictureProblems.tooLong;
  return width * height > maxMegapixels * 1_000_000 ? pictureProblems.tooManyPixels(maxMegapixels) : null;
}

/** A file's problem as a sentence with its name. */
export const formatFileProblem = (file: File, problem: string) => `“${file.name}” ${problem}`;

/**
 * The usable ones of the picked files, and messages about the others. One over 5 MB is shrunk, which saves its sender the upload; if the browser cannot
 * shrink it, it may still have `maxBytes`.
 */
export async function checkPictures(
  files: readonly File[],
  maxBytes = maxPhotoBytes,
  problemOf: (file: File) => Promise<string | null> = findPictureProblem,
  shrink: (file: File, toBytes: number) => Promise<File | null> = shrinkPicture,
): Promise<{ accepted: File[]; problems: string[] }> {
  const accepted: File[] = [];
  const problems: string[] = [];
  let tooLarge = 0;
  for (const picked of files) {
    let file = picked;
    if (picked.size > maxPhotoBytes && (await hasPictureFormat(picked))) {
      const shrunk = await shrink(picked, maxPhotoBytes);
      file = shrunk ?? picked;
      if (file.size > maxBytes) {
        tooLarge += 1;
        continue;
      }
    }
    const problem = await problemOf(file);
    if (problem) problems.push(formatFileProblem(picked, problem));
    else accepted.push(file);
  }
  // Reads "2 file(s) exceed the 5MB size limit and won't be uploaded."
  if (tooLarge > 0) problems.unshift(`${tooLarge} file(s) exceed the ${formatMegabytes(maxBytes)} size limit and won't be uploaded.`);
  return { accepted, problems };
}

/** How a browser decodes a picture, upright, and encodes it in another size; null if it cannot encode that type. */
export type Painter<Picture extends Opened = Opened> = {
  open: (file: Blob) => Promise<Picture>;
  write: (picture: Picture, size: { width: number; height: number }, type: string) => Promise<Blob | null>;
};

const longestSide = 2000;
const quality = 0.85;

const canvas: Painter<ImageBitmap> = {
  open: (file) => createImageBitmap(file, { imageOrientation: 'from-image' }),
  async write(picture, { width, height }, type) {
    const element = document.createElement('canvas');
    Object.assign(element, { width, height });
    const context = element.getContext('2d');
    if (!context) return null;
    context.imageSmoothingQuality = 'high';
    // JPEG has no transparency.
    if (type === uploadFormats.jpeg.type) {
      context.fillStyle = '#ffffff';
      context.fillRect(0, 0, width, height);
    }
    context.drawImage(picture, 0, 0, width, height);
    const blob = await new Promise<Blob | null>((done) => element.toBlob(done, type, quality));
    // Browsers fall back to another type if they cannot encode this one.
    return blob?.type === type ? blob : null;
  },
};

const endings: Record<string, string> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' };

/** Shrinks a picture to 2,000 pixels and `maxBytes`, in its own format or else as JPEG. Null if it cannot be decoded or made small enough. */
export async function shrinkPicture<Picture extends Opened>(
  file: File,
  maxBytes: number,
  painter: Painter<Picture> = canvas as unknown as Painter<Picture>,
): Promise<File | null> {
  const format = getFormat(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
  const picture = format && (await painter.open(file).catch(() => null));
  if (!picture) return null;
  try {
    const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
    const size = { width: Math.max(1, Math.round(picture.width * scale)), height: Math.max(1, Math.round(picture.height * scale)) };
    for (const type of new Set([uploadFormats[format].type, uploadFormats.jpeg.type])) {
      const ending = endings[type];
      // The canvas may be too large for this device.
      const blob = ending && (await painter.write(picture, size, type).catch(() => null));
      if (blob && blob.size <= maxBytes) return new File([blob], file.name.replace(/(\.\w+)?$/, `.${ending}`), { type });
    }
    return null;
  } finally {
    picture.close();
  }
}

const addresses = new WeakMap<Blob, string>();

/** An object URL for a file, one per file, valid until the page is left. It holds a reference to the file on disk, not its content. */
export function getObjectUrl(file: Blob): string {
  const existing = addresses.get(file);
  if (existing !== undefined) return existing;
  const address = URL.createObjectURL(file);
  addresses.set(file, address);
  return address;
}
