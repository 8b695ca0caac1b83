import { maxPhotoBytes, formatOf, headBytes, maxSidePixels, pictureProblems, uploadFormats } from '@handwise/contract/pictures';
import { megabytes } from '../format.ts';
import { shrinkPicture } from './shrink-picture.ts';

type Opened = { width: number; height: number; close(): void };

/** Whether a file's first bytes are those of a supported picture format. */
export async function hasPictureFormat(file: Blob): Promise<boolean> {
  try {
    return formatOf(await headOf(file)) !== undefined;
  } catch {
    return false;
  }
}

const headOf = async (file: Blob) => new Uint8Array(await file.slice(0, headBytes).arrayBuffer());

/** The server's message for an unusable picture, or null. The browser decodes it, so damaged or oversized files are found before uploading. */
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

/** A file's problem as a sentence with its name. */
export const saidOf = (file: File, problem: string) => `“${file.name}” ${problem}`;

/** The usable ones of the picked files, shrunk if too large, and messages about the others. */
export async function checkPictures(
  files: readonly File[],
  problemOf: (file: File) => Promise<string | null> = pictureProblem,
  shrink: (file: File, maxBytes: number) => Promise<File | null> = shrinkPicture,
): Promise<{ kept: File[]; problems: string[] }> {
  const kept: File[] = [];
  const problems: string[] = [];
  let tooLarge = 0;
  for (const picked of files) {
    let file: File | null = picked;
    if (picked.size > maxPhotoBytes && (await hasPictureFormat(picked))) {
      file = await shrink(picked, maxPhotoBytes);
      if (!file) {
        tooLarge += 1;
        continue;
      }
    }
    const problem = await problemOf(file);
    if (problem) problems.push(saidOf(picked, problem));
    else kept.push(file);
  }
  // Reads "2 file(s) exceed the 5MB size limit and won't be uploaded."
  if (tooLarge > 0) problems.unshift(`${tooLarge} file(s) exceed the ${megabytes(maxPhotoBytes)} size limit and won't be uploaded.`);
  return { kept, problems };
}
