import { maxLogoBytes } from '@handwise/contract/pictures';
import { fileProblem, hasPictureFormat, pictureProblem } from '../../../lib/pictures/checked-pictures.ts';
import { megabytes } from '../../../lib/format.ts';

/** A photo of a listing: a file that was picked just now, or a picture that the server has. */
export type Photo = { id: string; name: string } & ({ file: File } | { src: string });

/** Why a file cannot be a logo, or null. */
export async function logoProblem(file: File, problemOf: (file: File) => Promise<string | null> = pictureProblem): Promise<string | null> {
  if (file.size > maxLogoBytes && (await hasPictureFormat(file)))
    return `This logo is larger than ${megabytes(maxLogoBytes)}. Choose a smaller file.`;
  const problem = await problemOf(file);
  return problem && fileProblem(file, problem);
}

/** The list with the photo at `from` in the place `to`. Places outside of the list change nothing. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const item = list[from];
  if (item === undefined || to < 0 || to >= list.length) return list;
  return list.toSpliced(from, 1).toSpliced(to, 0, item);
}
