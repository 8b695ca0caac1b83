import { useCallback, useState } from 'react';
import { quoteRequestPhotoPrefix } from '../../../../lib/browser-storage.ts';
import { deleteFile, findFile, saveFile } from '../../../../lib/file-store.ts';
import { type Attachment, formatLost, listLostNames } from '../../../../lib/pictures/stored-attachments.ts';
import type { StoredPhoto } from './quote-request-draft.ts';

/** The photos of a request, stored in the browser until they are sent. The draft names them. */
export function useQuoteRequestPhotos() {
  const [photos, setPhotos] = useState<readonly Attachment[]>([]);
  const [lost, setLost] = useState<string>();
  /** Restores the photos that a draft names. Returns whether all were found. */
  const restore = useCallback(async (accepted: readonly StoredPhoto[]) => {
    const found = await Promise.all(
      accepted.map(async ({ id, name }) => {
        const file = await findFile(id);
        return file ? [{ id, name, file }] : [];
      }),
    );
    setPhotos(found.flat());
    const missing = listLostNames(
      accepted.map(({ name }) => name),
      found.flat(),
    );
    setLost(formatLost(missing));
    return missing.length === 0;
  }, []);
  function add(files: readonly File[]) {
    const added = files.map((file) => ({ id: `${quoteRequestPhotoPrefix}${crypto.randomUUID()}`, name: file.name, file }));
    for (const { id, file } of added) void saveFile(id, file);
    setPhotos((now) => [...now, ...added]);
    setLost(undefined);
  }
  function remove(id: string) {
    void deleteFile(id);
    setPhotos((now) => now.filter((one) => one.id !== id));
  }
  const forget = () => {
    for (const { id } of photos) void deleteFile(id);
  };
  return { photos, lost, restore, add, remove, forget };
}
