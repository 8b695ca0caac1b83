import { maxLogoBytes, maxPhotoBytes } from '@handwise/contract/selling';
import { megabytes } from '../../../lib/format.ts';

/** A photo of a listing: a file that was picked just now, or a picture that the server has. */
export type Photo = { id: string; name: string } & ({ file: File } | { src: string });

const startsWith = (bytes: Uint8Array, text: string, at = 0) =>
  [...text].every((letter, index) => bytes[at + index] === letter.charCodeAt(0));

/** Whether the first bytes of a file are those of a picture that can be published, whatever its name says. */
export const isPicture = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) ||
  startsWith(bytes, '\u0089PNG') ||
  startsWith(bytes, 'GIF8') ||
  (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) ||
  (startsWith(bytes, 'ftyp', 4) && /^(avif|avis|mif1)/.test(String.fromCharCode(...bytes.slice(8, 12))));

const bytesToTell = 16;
const looksLikePicture = async (file: Blob) => isPicture(new Uint8Array(await file.slice(0, bytesToTell).arrayBuffer()));

/** What of the picked files can be used, and what people are told about the rest. */
export async function checkPhotos(files: readonly File[]): Promise<{ kept: File[]; problems: string[] }> {
  const kept: File[] = [];
  const problems: string[] = [];
  let tooLarge = 0;
  for (const file of files) {
    const picture = await looksLikePicture(file).catch(() => false);
    if (!picture) problems.push(`${file.name} is not a picture that we can show. Use JPEG, PNG, WebP, AVIF or GIF.`);
    else if (file.size > maxPhotoBytes) tooLarge += 1;
    else kept.push(file);
  }
  if (tooLarge > 0) problems.unshift(`${tooLarge} file(s) exceed the ${megabytes(maxPhotoBytes)} size limit and won't be uploaded.`);
  return { kept, problems };
}

/** Why a file cannot be a logo, or null. */
export async function logoProblem(file: File): Promise<string | null> {
  if (!(await looksLikePicture(file).catch(() => false)))
    return `${file.name} is not a picture that we can show. Use JPEG, PNG, WebP, AVIF or GIF.`;
  return file.size > maxLogoBytes ? `This logo is larger than ${megabytes(maxLogoBytes)}. Choose a smaller file.` : null;
}

/** The list with the photo at `from` in the place `to`. Places outside of the list change nothing. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const item = list[from];
  if (item === undefined || to < 0 || to >= list.length) return list;
  return list.toSpliced(from, 1).toSpliced(to, 0, item);
}
