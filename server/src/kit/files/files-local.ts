import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import { type FileStore, diskError, filesPrefix, inertPolicy, isKey, isMissing, openScratchFolder } from './files-store.ts';

// On the same disk as the files, so that moving is one step. Its name begins with a dot, so nothing in it is served.
const incoming = '.incoming';

/** Files in a folder of this machine. */
export function localStore(dir: string, onFault: (error: unknown) => void): FileStore {
  const root = resolve(dir);
  const failed = (error: unknown) => {
    onFault(error);
    return diskError(error);
  };
  const pathOf = (key: string) => {
    if (!isKey(key)) throw new Error(`Not a key: ${key}`);
    return join(root, key);
  };

  return {
    async put(key, data) {
      const path = pathOf(key);
      const temporary = join(root, incoming, randomUUID());
      try {
        await Promise.all([mkdir(dirname(temporary), { recursive: true }), mkdir(dirname(path), { recursive: true })]);
        await writeFile(temporary, data, { flag: 'wx' });
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true }).catch(onFault);
        throw failed(error);
      }
    },

    async read(key) {
      try {
        return (await open(pathOf(key))).createReadStream();
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw failed(error);
      }
    },

    async delete(keys) {
      for (const path of keys.map(pathOf)) {
        await unlink(path).catch((error: unknown) => {
          if (!isMissing(error)) throw failed(error);
        });
      }
    },

    async serve(app) {
      await openScratchFolder(app, join(root, incoming));
      await app.register(fastifyStatic, {
        root,
        prefix: filesPrefix,
        decorateReply: false,
        immutable: true,
        maxAge: '365d',
        index: false,
        dotfiles: 'ignore',
        setHeaders: (reply) => {
          reply.header('content-security-policy', inertPolicy);
        },
      });
    },
  };
}
