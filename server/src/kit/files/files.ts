import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import {
  type FileStore,
  fileCacheControl,
  toStorageError,
  filesPrefix,
  inertPolicy,
  isKey,
  isMissing,
  isPublicKey,
  openTempFolder,
} from './file-store.ts';
import type { S3Settings } from './s3-client.ts';

/**
 * The store of this installation: an S3 bucket if one is configured, else a folder. `onFault` receives the cause of each `storage_full` and
 * `storage_unavailable`.
 */
export async function openFileStore(s3: S3Settings | null, filesDir: string, onFault: (error: unknown) => void): Promise<FileStore> {
  if (!s3) return openLocalStore(filesDir, onFault);
  // Amazon's client is slow to load and large, so it is loaded only if it is used.
  const { openS3Store } = await import('./s3-file-store.ts');
  return openS3Store(s3, onFault);
}

// On the same disk as the files, so that a move is atomic. Folders whose names begin with a dot are not served.
const incoming = '.incoming';

/** Stores files in a folder of this machine. */
function openLocalStore(dir: string, onFault: (error: unknown) => void): FileStore {
  const root = resolve(dir);
  const toAppError = (error: unknown) => {
    onFault(error);
    return toStorageError(error);
  };
  const toPath = (key: string) => {
    if (!isKey(key)) throw new Error(`Not a key: ${key}`);
    return join(root, key);
  };

  return {
    async put(key, data) {
      const path = toPath(key);
      const temporary = join(root, incoming, randomUUID());
      try {
        await Promise.all([mkdir(dirname(temporary), { recursive: true }), mkdir(dirname(path), { recursive: true })]);
        await writeFile(temporary, data, { flag: 'wx' });
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true }).catch(onFault);
        throw toAppError(error);
      }
    },

    async read(key) {
      try {
        return (await open(toPath(key))).createReadStream();
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw toAppError(error);
      }
    },

    async delete(keys) {
      for (const path of keys.map(toPath)) {
        await unlink(path).catch((error: unknown) => {
          if (!isMissing(error)) throw toAppError(error);
        });
      }
    },

    async serve(app) {
      await openTempFolder(app, join(root, incoming));
      await app.register(fastifyStatic, {
        root,
        prefix: filesPrefix,
        decorateReply: false,
        cacheControl: false,
        index: false,
        dotfiles: 'ignore',
        allowedPath: (path) => isPublicKey(path.replace(/^\//, '')),
        setHeaders: (reply) => {
          reply.header('content-security-policy', inertPolicy).header('cache-control', fileCacheControl);
        },
      });
    },
  };
}
