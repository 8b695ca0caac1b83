// Files are too large for local storage. Without IndexedDB they last until the page is left; nothing may fail because of it.

const databaseName = 'handwise';
const storeName = 'files';
const longestWaitMs = 2000;

let opened: Promise<IDBDatabase> | undefined;

const open = () =>
  (opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(storeName));
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('No storage for files')));
    request.addEventListener('blocked', () => reject(new Error('Storage for files is blocked')));
    setTimeout(() => reject(new Error('Storage for files does not answer')), longestWaitMs);
  }));

async function inStore<T>(mode: IDBTransactionMode, run: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  try {
    const transaction = (await open()).transaction(storeName, mode);
    const request = run(transaction.objectStore(storeName));
    return await new Promise<T>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve(request.result));
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('Not stored')));
    });
  } catch {
    return undefined;
  }
}

type StoredFile = { name: string; type: string; bytes: ArrayBuffer };
const isStoredFile = (value: unknown): value is StoredFile => typeof value === 'object' && value !== null && 'bytes' in value;

/** Keeps the file's bytes, because Safari refuses to store a `File` in a private tab. */
export async function saveFile(key: string, file: File): Promise<void> {
  const stored: StoredFile = { name: file.name, type: file.type, bytes: await file.arrayBuffer() };
  await inStore('readwrite', (store) => store.put(stored, key));
}

/** The file that was kept under this key, by an earlier version as a `File`, or null. */
export async function findFile(key: string): Promise<File | null> {
  const value: unknown = await inStore('readonly', (store) => store.get(key) as IDBRequest<unknown>);
  if (value instanceof File) return value;
  return isStoredFile(value) ? new File([value.bytes], value.name, { type: value.type }) : null;
}

export const deleteFilesByPrefix = (prefix: string) =>
  inStore('readwrite', (store) => store.delete(IDBKeyRange.bound(prefix, `${prefix}\uffff`)));
export const deleteFile = (key: string) => inStore('readwrite', (store) => store.delete(key));
