import { maxLogoBytes, maxPhotoBytes } from '@handwise/contract/pictures';
import { megabytes } from '../../../lib/format.ts';
import { hasPictureFormat, pictureProblem } from '../../../lib/picture-file.ts';

/** A photo of a listing: a file that was picked just now, or a picture that the server has. */
export type Photo = { id: string; name: string } & ({ file: File } | { src: string });

const said = (file: File, problem: string) => `“${file.name}” ${problem}`;

/** What of the picked files can be used, and what people are told about the rest. */
export async function checkPhotos(
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
    if (problem) problems.push(said(file, problem));
    else kept.push(file);
  }
  if (tooLarge > 0) problems.unshift(`${tooLarge} file(s) exceed the ${megabytes(maxPhotoBytes)} size limit and won't be uploaded.`);
  return { kept, problems };
}

/** Why a file cannot be a logo, or null. */
export async function logoProblem(file: File, problemOf: (file: File) => Promise<string | null> = pictureProblem): Promise<string | null> {
  if (file.size > maxLogoBytes && (await hasPictureFormat(file)))
    return `This logo is larger than ${megabytes(maxLogoBytes)}. Choose a smaller file.`;
  const problem = await problemOf(file);
  return problem && said(file, problem);
}

/** The list with the photo at `from` in the place `to`. Places outside of the list change nothing. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const item = list[from];
  if (item === undefined || to < 0 || to >= list.length) return list;
  return list.toSpliced(from, 1).toSpliced(to, 0, item);
}
