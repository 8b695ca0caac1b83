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

async function sendRequest<T>(mode: IDBTransactionMode, run: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const transaction = (await open()).transaction(storeName, mode);
  const sent = run(transaction.objectStore(storeName));
  return new Promise<T>((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve(sent.result));
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('Not stored')));
  });
}

const inStore = <T>(mode: IDBTransactionMode, run: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> =>
  sendRequest(mode, run).catch(() => undefined);

// As bytes, because Safari stores no files in private tabs.
type StoredFile = { bytes: ArrayBuffer; name: string; type: string; lastModified: number };

// One after the other, so that a file which is deleted while its bytes are read is not stored afterwards.
let saves: Promise<unknown> = Promise.resolve();

async function save(key: string, file: File) {
  const { name, type, lastModified } = file;
  const bytes = await file.arrayBuffer().catch(() => undefined);
  if (bytes) await inStore('readwrite', (store) => store.put({ bytes, name, type, lastModified } satisfies StoredFile, key));
}

export function saveFile(key: string, file: File): Promise<unknown> {
  // At once, so that whoever looks into the storage meanwhile does not create it without its store.
  open().catch(() => undefined);
  return (saves = saves.then(() => save(key, file)));
}

/** Lists of files wait for this work, which may save some. */
export function delayLists(work: Promise<unknown>) {
  saves = Promise.allSettled([saves, work]);
}

function toFile(stored: StoredFile | File | undefined): File | null {
  // Stored by an earlier version.
  if (stored instanceof File) return stored;
  if (!stored || !(stored.bytes instanceof ArrayBuffer)) return null;
  const { bytes, name, type, lastModified } = stored;
  return new File([bytes], name, { type, lastModified });
}

/** Null if it is not stored. Waits for what is being saved. */
export async function findFile(key: string): Promise<File | null> {
  await saves;
  return toFile(await inStore('readonly', (store) => store.get(key) as IDBRequest<StoredFile | File | undefined>));
}

const below = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`);

/** The files whose keys begin with a prefix, in the order of the keys, with what is being saved. Rejects if the storage cannot be read. */
export async function listFiles(prefix: string): Promise<{ key: string; file: File }[]> {
  await saves;
  // Saves that came from work which the list has waited for.
  await saves;
  const keys = await sendRequest('readonly', (store) => store.getAllKeys(below(prefix)));
  const found = await Promise.all(keys.map(async (key) => ({ key: String(key), file: await findFile(String(key)) })));
  return found.flatMap(({ key, file }) => (file ? [{ key, file }] : []));
}

const afterSaves = (range: string | IDBKeyRange) => saves.then(() => inStore('readwrite', (store) => store.delete(range)));

export const deleteFile = (key: string) => afterSaves(key);
export const deleteFilesByPrefix = (prefix: string) => afterSaves(below(prefix));
