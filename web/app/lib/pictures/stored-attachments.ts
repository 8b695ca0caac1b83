import { useCallback, useEffect, useState } from 'react';
import { deleteFile, listFiles, saveFile } from '../file-store.ts';

export type Attachment = { id: string; name: string; file: File };

/** The files stored below a prefix, in the order in which they were added. */
export const listAttachments = async (prefix: string): Promise<Attachment[]> =>
  (await listFiles(prefix)).map(({ key, file }) => ({ id: key, name: file.name, file }));

/** An id below the prefix that follows all earlier ones. */
const createId = (prefix: string, index: number) => `${prefix}${Date.now()} ${index} ${crypto.randomUUID()}`;

/** The files of an unsent text, stored in the browser until it is sent. */
export function useStoredAttachments(prefix: string) {
  const [files, setFiles] = useState<readonly Attachment[]>([]);
  useEffect(() => {
    let isLeft = false;
    async function restore() {
      const found = await listAttachments(prefix);
      if (!isLeft) setFiles((now) => [...found.filter(({ id }) => now.every((one) => one.id !== id)), ...now]);
    }
    void restore();
    return () => {
      isLeft = true;
    };
  }, [prefix]);
  function add(picked: readonly File[]) {
    const added = picked.map((file, index) => ({ id: createId(prefix, index), name: file.name, file }));
    for (const { id, file } of added) void saveFile(id, file);
    setFiles((now) => [...now, ...added]);
  }
  function remove(id: string) {
    void deleteFile(id);
    setFiles((now) => now.filter((one) => one.id !== id));
  }
  const forget = useCallback(() => {
    setFiles((now) => {
      for (const { id } of now) void deleteFile(id);
      return [];
    });
  }, []);
  return { files, add, remove, forget };
}
