import { localStore } from './files-local.ts';
import type { S3Settings } from './files-s3.ts';
import { type FileStore, filesPrefix } from './files-store.ts';

/** The address of a stored file. */
export const fileUrl = (key: string) => filesPrefix + key;

/** The key of a file from its address; undefined where the address is not one of ours, such as ''. */
export const fileKey = (url: string) => (url.startsWith(filesPrefix) ? url.slice(filesPrefix.length) : undefined);

/**
 * The store of this installation: an S3 bucket where one is configured, else a folder. `onFault` hears in full what is
 * answered as `storage_full` or `storage_unavailable` only.
 */
export async function openFileStore(s3: S3Settings | null, filesDir: string, onFault: (error: unknown) => void): Promise<FileStore> {
  if (!s3) return localStore(filesDir, onFault);
  // Loading Amazon's client takes a while and some memory, so only those who use it pay for it.
  const { s3Store } = await import('./files-s3.ts');
  return s3Store(s3, onFault);
}
