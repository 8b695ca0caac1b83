import { formatOf, headBytes, maxSidePixels, pictureProblems, uploadFormats } from '@handwise/contract/pictures';

type Opened = { width: number; height: number; close(): void };

/** Whether the first bytes of a file are those of a picture that can be uploaded, whatever its name says. */
export async function hasPictureFormat(file: Blob): Promise<boolean> {
  try {
    return formatOf(await headOf(file)) !== undefined;
  } catch {
    return false;
  }
}

const headOf = async (file: Blob) => new Uint8Array(await file.slice(0, headBytes).arrayBuffer());

/**
 * What the server would say of a picture, in its words, or null. The browser opens it as it would to show it, so what is
 * damaged, cut off or too large is known before it is sent.
 */
export async function pictureProblem(file: Blob, open: (file: Blob) => Promise<Opened> = createImageBitmap): Promise<string | null> {
  const format = formatOf(await headOf(file).catch(() => new Uint8Array()));
  if (!format) return pictureProblems.unreadable;
  const opened = await open(file).catch(() => null);
  if (!opened) return pictureProblems.damaged;
  const { width, height } = opened;
  opened.close();
  const { maxMegapixels } = uploadFormats[format];
  if (Math.max(width, height) > maxSidePixels) return pictureProblems.tooLong;
  return width * height > maxMegapixels * 1_000_000 ? pictureProblems.tooManyPixels(maxMegapixels) : null;
}
