import { maxPhotos } from '@handwise/contract/selling/form-rules';
import { useEffect, useRef, useState } from 'react';
import { upload } from '../../../lib/upload.ts';
import type { Photo } from '../fields/photo-rules.ts';

type Files = { photos: readonly Photo[]; logo: File | null };
export type RefusedFiles = { photoIds: ReadonlySet<string>; isLogoRefused: boolean; messages: readonly string[] };

const photoField = /^serviceImages\[(\d+)\]$/;

/** Which photos and whether the logo are meant by the server's fields. */
export function readRefused(refused: readonly { field: string; message: string }[], photos: readonly Photo[]): RefusedFiles {
  const ids = refused.flatMap(({ field }) => photos[Number(photoField.exec(field)?.[1] ?? -1)]?.id ?? []);
  return {
    photoIds: new Set(ids),
    isLogoRefused: refused.some(({ field }) => field === 'logo'),
    messages: refused.map(({ message }) => message),
  };
}

type PhotoCheck = {
  /** Null until restored. */
  files: Files | null;
  /** The server checks for members only. */
  isMember: boolean;
  onRefused: (refused: RefusedFiles) => void;
};

/**
 * Lets the server look at each photo and the logo once, before anything is paid; what it cannot use is reported. If the check itself fails,
 * the server decides when the listing is published.
 */
export function usePhotoCheck({ files, isMember, onRefused }: PhotoCheck): { isChecking: boolean } {
  const checked = useRef(new Set<unknown>());
  const [pending, setPending] = useState(0);
  useEffect(() => {
    if (!files || !isMember) return;
    const photos = files.photos.filter((photo) => 'file' in photo && !checked.current.has(photo.id)).slice(0, maxPhotos);
    const logo = files.logo && !checked.current.has(files.logo) ? files.logo : null;
    if (photos.length === 0 && !logo) return;
    for (const { id } of photos) checked.current.add(id);
    if (logo) checked.current.add(logo);
    setPending((now) => now + 1);
    const check = async () => {
      try {
        const { refused } = await upload(
          'POST /listing/check-photos',
          {
            form: {},
            files: { serviceImages: photos.flatMap((photo) => ('file' in photo ? [photo.file] : [])), ...(logo && { logo: [logo] }) },
          },
          () => {},
        );
        if (refused.length > 0) onRefused(readRefused(refused, photos));
      } catch {
        // The server decides when the listing is published.
      }
      setPending((now) => now - 1);
    };
    void check();
  }, [files, isMember, onRefused]);
  return { isChecking: pending > 0 };
}
