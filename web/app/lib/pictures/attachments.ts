import { isPdf, maxPdfBytes, pdfHeadBytes, pdfProblem } from '@handwise/contract/pdf';
import { maxSharedPhotoBytes } from '@handwise/contract/pictures';
import { formatMegabytes } from '../format.ts';
import { checkPictures, formatFileProblem } from './checked-pictures.ts';

/** Whether a file calls itself a PDF. */
export const isPdfFile = ({ type, name }: File) => type === 'application/pdf' || /\.pdf$/i.test(name);

type Limits = {
  /** As in "A message takes up to 5 photos." */
  subject: 'message' | 'request' | 'review';
  maxPhotos: number;
  takesPdf: boolean;
  /** The files chosen before. */
  before: readonly File[];
};

/** The usable ones of the picked files, as far as there is room, and messages about the others. */
export async function checkAttachments(
  picked: readonly File[],
  { subject, maxPhotos, takesPdf, before }: Limits,
  check: typeof checkPictures = checkPictures,
): Promise<{ accepted: File[]; problems: string[] }> {
  const asPdf = (file: File) => takesPdf && isPdfFile(file);
  const { accepted: photos, problems } = await check(
    picked.filter((file) => !asPdf(file)),
    maxSharedPhotoBytes,
  );
  const room = Math.max(0, maxPhotos - before.filter((file) => !isPdfFile(file)).length);
  if (photos.length > room) problems.push(`A ${subject} takes up to ${maxPhotos} photos.`);
  const pdfs: File[] = [];
  for (const file of picked.filter(asPdf)) {
    const problem = await findPdfProblem(file);
    if (problem) problems.push(formatFileProblem(file, problem));
    else pdfs.push(file);
  }
  const pdfRoom = before.some(isPdfFile) ? 0 : 1;
  if (pdfs.length > pdfRoom) problems.push(`A ${subject} takes one PDF.`);
  return { accepted: [...photos.slice(0, room), ...pdfs.slice(0, pdfRoom)], problems };
}

/** The server's message for an unusable PDF, or null. */
async function findPdfProblem(file: File): Promise<string | null> {
  if (file.size > maxPdfBytes) return `is larger than ${formatMegabytes(maxPdfBytes)}.`;
  const head = await file
    .slice(0, pdfHeadBytes)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0));
  return isPdf(new Uint8Array(head)) ? null : pdfProblem;
}

/** The files by the fields of a form. */
export const toFormFiles = (files: readonly File[]) => ({
  pictures: files.filter((file) => !isPdfFile(file)),
  pdf: files.filter(isPdfFile),
});

/** "320 kB", "1.4 MB" */
export const formatFileSize = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${Math.round((bytes / 1024 / 1024) * 10) / 10} MB`;
