import { maxPhotoBytes } from '@handwise/contract/pictures';
import { megabytes } from '../format.ts';
import { hasPictureFormat, pictureProblem } from './picture-file.ts';

/** A problem of a file as a sentence that names it. */
export const saidOf = (file: File, problem: string) => `“${file.name}” ${problem}`;

/** What of the picked files can be used, and what people are told about the rest. */
export async function checkPictures(
  files: readonly File[],
  problemOf: (file: File) => Promise<string | null> = pictureProblem,
): Promise<{ kept: File[]; problems: string[] }> {
  const kept: File[] = [];
  const problems: string[] = [];
  let tooLarge = 0;
  for (const file of files) {
    // Opening a file takes a moment, so those that are too large are not opened.
    if (file.size > maxPhotoBytes && (await hasPictureFormat(file))) {
      tooLarge += 1;
      continue;
    }
    const problem = await problemOf(file);
    if (problem) problems.push(saidOf(file, problem));
    else kept.push(file);
  }
  // Reads "2 file(s) exceed the 5MB size limit and won't be uploaded."
  if (tooLarge > 0) problems.unshift(`${tooLarge} file(s) exceed the ${megabytes(maxPhotoBytes)} size limit and won't be uploaded.`);
  return { kept, problems };
}
