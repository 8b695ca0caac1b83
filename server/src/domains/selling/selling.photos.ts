import { plans } from '@handwise/contract/plans/table';
import type { Context } from '../../kit/context.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { fileKey } from '../../kit/files/file-store.ts';
import type { UploadedFile } from '../../kit/files/multipart.ts';
import { type StoredPicture, discardFiles, storeLogo, storePictures } from '../../kit/files/stored-files.ts';
import { processLogo, processPictures } from '../../kit/images/images.ts';
import { getPlanTypeByRank } from '../listings/listings.service.ts';
import type { OwnListing } from './selling.queries.ts';

/** `logo`: its storage key. */
export type Stored = { pictures: StoredPicture[]; logo: string | null };

export const storedKeys = ({ pictures, logo }: Stored) => [...pictures.map((picture) => picture.key), ...(logo === null ? [] : [logo])];

export function checkPhotoCount(count: number, most: number) {
  if (count > most) {
    throw new AppError('too_many_files', {
      fields: [{ field: 'serviceImages', message: `Your plan has up to ${most} photos; you chose ${count}.` }],
    });
  }
}

export async function storeFiles(
  { db, store }: Context,
  sellerId: string,
  photos: readonly UploadedFile[],
  logo: UploadedFile | undefined,
  title: string,
): Promise<Stored> {
  // All files are validated before the first one is stored, so that a bad one leaves nothing behind.
  const [processed, processedLogo] = await Promise.all([processPictures(photos, sellerId), logo && processLogo(logo, sellerId)]);
  const many = processed.length > 1;
  const named = processed.map((picture, index) => ({ ...picture, alt: many ? `${title}, photo ${index + 1}` : title }));
  const pictures = await storePictures(db, store, named);
  if (!processedLogo) return { pictures, logo: null };
  try {
    return { pictures, logo: await storeLogo(db, store, processedLogo) };
  } catch (error) {
    await discardFiles(db, store, storedKeys({ pictures, logo: null }));
    throw error;
  }
}

/** Which of these files cannot be used, and why; each is decoded as for a listing. */
export async function listRefusedFiles(sellerId: string, files: readonly UploadedFile[]): Promise<{ field: string; message: string }[]> {
  const refused = await Promise.all(
    files.map((file) =>
      // The small picture of a logo takes the least work.
      processLogo(file, sellerId).then(
        () => [],
        (error: unknown) => {
          if (error instanceof AppError && error.fields.length > 0) return error.fields;
          throw error;
        },
      ),
    ),
  );
  return refused.flat();
}

/** Checks the plan's photo limit when pictures are added; pictures from a larger plan may stay. */
export function arrangePhotos(listing: OwnListing, order: readonly string[] | undefined, added: number) {
  const arranged = applyOrder(listing, order, added);
  if (added > 0) checkPhotoCount(arranged.length, plans[getPlanTypeByRank(listing.plan_rank)].photos);
  return arranged;
}

/** The pictures in their new order: existing ones, and the index of each new one; each can be named once. */
function applyOrder(listing: OwnListing, order: readonly string[] | undefined, added: number): (StoredPicture | number)[] {
  const numbers = Array.from({ length: added }, (_, index) => index);
  if (!order) return [...listing.pictures, ...numbers];
  const left = new Map<string, StoredPicture | number>([
    ...listing.pictures.map((picture) => [picture.key, picture] as const),
    ...numbers.map((number) => [`new:${number}`, number] as const),
  ]);
  const arranged = order.map((name) => {
    const key = fileKey(name)?.replace(/-\d+\.\w+$/, '') ?? name;
    const one = left.get(key);
    left.delete(key);
    if (one === undefined)
      throw invalidField('serviceImageOrder', 'One of these pictures could not be found. Please reload the page and try again.');
    return one;
  });
  const forgotten = [...left.values()].filter((one) => typeof one === 'number');
  return [...arranged, ...forgotten];
}
