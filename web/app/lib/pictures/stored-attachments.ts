import { useCallback, useEffect, useState } from 'react';
import { deleteFile, listFiles, saveFile } from '../file-store.ts';

export type Attachment = { id: string; name: string; file: File };

/** The files stored below a prefix, in the order in which they were added. Rejects if the storage cannot be read. */
export const listAttachments = async (prefix: string): Promise<Attachment[]> =>
  (await listFiles(prefix)).map(({ key, file }) => ({ id: key, name: file.name, file }));

// A photo that was made smaller can have another ending.
const getStem = (name: string) => name.replace(/\.\w+$/, '');

/** The names that the files lack; two files can have one name. */
export function listLostNames(names: readonly string[], files: readonly Pick<Attachment, 'name'>[]): string[] {
  const found = files.map(({ name }) => getStem(name));
  return names.filter((name) => {
    const at = found.indexOf(getStem(name));
    if (at >= 0) found.splice(at, 1);
    return at < 0;
  });
}

/** Undefined if none is lost. */
export function formatLost(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const all = new Intl.ListFormat('en-NZ').format(names.map((name) => `“${name}”`));
  return names.length === 1
    ? `${all} could not be kept in this browser. Add it again if you want to send it.`
    : `${all} could not be kept in this browser. Add them again if you want to send them.`;
}

/** An id below the prefix that follows all earlier ones. */
const createId = (prefix: string, index: number) => `${prefix}${Date.now()} ${index} ${crypto.randomUUID()}`;

/** The files of an unsent text, stored in the browser until it is sent. `names` are those that it had when it was left. */
export function useStoredAttachments(prefix: string, names: readonly string[]) {
  const [files, setFiles] = useState<readonly Attachment[]>([]);
  const [isRead, setRead] = useState(false);
  const [left] = useState(names);
  const [lost, setLost] = useState<readonly string[]>([]);
  useEffect(() => {
    let isLeft = false;
    async function restore() {
      // Without a storage the names tell what is missing.
      const found = await listAttachments(prefix).catch(() => []);
      if (isLeft) return;
      setFiles((now) => [...found.filter(({ id }) => now.every((one) => one.id !== id)), ...now]);
      setLost(listLostNames(left, found));
      setRead(true);
    }
    void restore();
    return () => {
      isLeft = true;
    };
  }, [prefix, left]);
  function add(picked: readonly File[]) {
    const added = picked.map((file, index) => ({ id: createId(prefix, index), name: file.name, file }));
    for (const { id, file } of added) void saveFile(id, file);
    setFiles((now) => [...now, ...added]);
    setLost([]);
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
  return { files, isRead, lost: formatLost(lost), add, remove, forget };
}
