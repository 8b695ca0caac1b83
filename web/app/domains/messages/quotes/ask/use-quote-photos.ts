import { useCallback, useState } from 'react';
import { quotePhotoPrefix } from '../../../../lib/browser-storage.ts';
import { deleteFile, saveFile, findFile } from '../../../../lib/file-store.ts';
import type { KeptPhoto } from './quote-draft.ts';

export type QuotePhoto = KeptPhoto & { file: File };

/** The photos of a request, kept in the browser until they are sent. */
export function useQuotePhotos() {
  const [photos, setPhotos] = useState<readonly QuotePhoto[]>([]);
  /** Brings back those that a draft names. Those that the browser did not keep are left out. */
  const bringBack = useCallback(async (kept: readonly KeptPhoto[]) => {
    const found = await Promise.all(
      kept.map(async ({ id, name }) => {
        const file = await findFile(id);
        return file ? [{ id, name, file }] : [];
      }),
    );
    setPhotos(found.flat());
  }, []);
  function add(files: readonly File[]) {
    const added = files.map((file) => ({ id: `${quotePhotoPrefix}${crypto.randomUUID()}`, name: file.name, file }));
    for (const { id, file } of added) void saveFile(id, file);
    setPhotos((now) => [...now, ...added]);
  }
  function remove(id: string) {
    void deleteFile(id);
    setPhotos((now) => now.filter((one) => one.id !== id));
  }
  const forget = () => {
    for (const { id } of photos) void deleteFile(id);
  };
  return { photos, bringBack, add, remove, forget };
}
