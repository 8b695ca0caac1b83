import { maxPhotoBytes } from '@handwise/contract/pictures';
import { megabytes } from '../format.ts';
import { hasPictureFormat, pictureProblem } from './picture-file.ts';
import { shrinkPicture } from './shrink-picture.ts';

/** A problem of a file as a sentence that names it. */
export const saidOf = (file: File, problem: string) => `“${file.name}” ${problem}`;

/** What of the picked files can be used, those that are too large made smaller, and what people are told about the rest. */
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
