import { readFile } from 'node:fs/promises';
import { isPdf, pdfProblem } from '@handwise/contract/pdf';
import type { Db } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { FileStore } from '../../kit/files/file-store.ts';
import type { UploadedFile } from '../../kit/files/multipart.ts';
import { type StoredPdf, type StoredPicture, discardFiles, storePdf, storePictures } from '../../kit/files/stored-files.ts';
import { processPictures } from '../../kit/images/images.ts';

type LoadedPdf = { name: string; content: Buffer };
/** Files of a message, checked and converted. */
export type LoadedFiles = { pictures: Awaited<ReturnType<typeof processPictures>>; pdf: LoadedPdf | null };

/** Stored files of a message. */
export type Attachments = { pictures: readonly StoredPicture[]; pdf: StoredPdf | null };

/** Checks and converts the files of a form. Throws `unsupported_pdf`, and what pictures throw. */
export async function loadFiles(files: readonly UploadedFile[], userId: string): Promise<LoadedFiles> {
  const file = files.find(({ field }) => field === 'pdf');
  const pdf = file ? await readPdf(file) : null;
  const pictures = await processPictures(
    files.filter(({ field }) => field === 'pictures'),
    userId,
  );
  return { pictures, pdf };
}

async function readPdf({ path, fieldPath, filename }: UploadedFile): Promise<LoadedPdf> {
  const content = await readFile(path);
  if (!isPdf(content)) throw new AppError('unsupported_pdf', { fields: [{ field: fieldPath, message: `“${filename}” ${pdfProblem}` }] });
  return { name: filename, content };
}

/** Stores all files or none. Those that no transaction attaches are deleted as in `storePictures`. Throws what the store throws. */
export async function storeAttachments(db: Db, store: FileStore, { pictures, pdf }: LoadedFiles): Promise<Attachments> {
  const stored = await storePictures(db, store, addAltTexts(pictures));
  try {
    return { pictures: stored, pdf: pdf && (await storePdf(db, store, pdf)) };
  } catch (error) {
    await discardFiles(db, store, listKeys({ pictures: stored, pdf: null }));
    throw error;
  }
}

export const listKeys = ({ pictures, pdf }: Attachments): string[] => [...pictures.map(({ key }) => key), ...(pdf ? [pdf.key] : [])];

export function addAltTexts<Picture>(pictures: readonly Picture[]): (Picture & { alt: string })[] {
  const alt = (index: number) => (pictures.length > 1 ? `Picture ${index + 1} of this message` : 'Picture of this message');
  return pictures.map((picture, index) => ({ ...picture, alt: alt(index) }));
}
