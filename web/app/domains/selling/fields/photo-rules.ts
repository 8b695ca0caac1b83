import { maxLogoBytes } from '@handwise/contract/pictures';
import { formatFileProblem, hasPictureFormat, findPictureProblem } from '../../../lib/pictures/checked-pictures.ts';
import { formatMegabytes } from '../../../lib/format.ts';

/** A photo of a listing: a newly picked file or a stored picture. */
export type Photo = { id: string; name: string } & ({ file: File } | { src: string });

/** Why a file cannot be a logo, or null. */
export async function getLogoProblem(
  file: File,
  problemOf: (file: File) => Promise<string | null> = findPictureProblem,
): Promise<string | null> {
  if (file.size > maxLogoBytes && (await hasPictureFormat(file)))
    return `This logo is larger than ${formatMegabytes(maxLogoBytes)}. Choose a smaller file.`;
  const problem = await problemOf(file);
  return problem && formatFileProblem(file, problem);
}

/** Moves the item at `from` to the index `to`. Indexes outside of the list change nothing. */
export function moveItem<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const item = list[from];
  if (item === undefined || to < 0 || to >= list.length) return list;
  return list.toSpliced(from, 1).toSpliced(to, 0, item);
}
