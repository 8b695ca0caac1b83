import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../errors.ts';

/**
 * Storage of uploaded files. The server generates the keys, of letters, digits, `-`, `/` and one `.`; a key's content never changes. Every
 * function throws `storage_full` or `storage_unavailable` if the store fails.
 */
export type FileStore = {
  /** Atomic: no reader ever sees a part of the file. */
  put(key: string, data: Buffer, contentType: string): Promise<void>;
  /** A file’s content as a stream; undefined if it does not exist. */
  read(key: string): Promise<Readable | undefined>;
  /** Idempotent: a missing key counts as deleted. */
  delete(keys: readonly string[]): Promise<void>;
  /** Serves the public files below `filesPrefix`. To be called once, before the app listens. */
  serve(app: FastifyInstance): Promise<void>;
};

export const filesPrefix = '/files/';

export const fileUrl = (key: string) => filesPrefix + key;

/** The key of a stored file's address; undefined for other addresses, such as ''. */
export const fileKey = (url: string) => (url.startsWith(filesPrefix) ? url.slice(filesPrefix.length) : undefined);

// An uploaded file never runs as a script, whatever type a browser takes it for.
export const inertPolicy = "default-src 'none'; sandbox";

/** A key's content never changes, but it may be deleted: then it must go from the caches that many people share. */
export const fileCacheControl = 'public, max-age=31536000, s-maxage=600, immutable';

export const cacheForever = (reply: FastifyReply) =>
  reply.header('cache-control', fileCacheControl).header('content-security-policy', inertPolicy);

// The name of HTTP's own syntax, in which these characters have a meaning.
const encodeName = (name: string) =>
  encodeURIComponent(name).replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** Sends an uploaded file as a download that no browser opens, runs, caches or lists. */
export const sendDownload = (
  reply: FastifyReply,
  { name, bytes, type, content }: { name: string; bytes: number; type: string; content: Readable },
) =>
  reply
    .type(type)
    .header('content-length', bytes)
    .header('content-disposition', `attachment; filename="file"; filename*=UTF-8''${encodeName(name)}`)
    .header('content-security-policy', inertPolicy)
    .header('x-content-type-options', 'nosniff')
    .header('x-robots-tag', 'noindex')
    .header('cache-control', 'private, no-store')
    .send(content);

const keyShape = /^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*)*\.[a-z0-9]+$/i;

/** Whether a text is a valid key. Checked before a key from a URL reaches a disk or a bucket. */
export const isKey = (text: string) => text.length <= 200 && keyShape.test(text);

/** Files with these keys have no public address: a route that knows who may read them serves them. */
export const privatePrefix = 'private/';

/** Whether a text is the key of a file that everybody may read. In any case, because some disks ignore it. */
export const isPublicKey = (text: string) => isKey(text) && !text.toLowerCase().startsWith(privatePrefix);

const getErrorCode = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

const isDiskFull = (error: unknown) => /^(ENOSPC|EDQUOT)$/.test(getErrorCode(error));

export const toStorageError = (error: unknown) => new AppError(isDiskFull(error) ? 'storage_full' : 'storage_unavailable');

export const isMissing = (error: unknown) => getErrorCode(error) === 'ENOENT';

const hour = 3_600_000;

/** Creates a folder for temporary files and deletes those that a killed process left there. Other processes may use it too. */
export async function openTempFolder(app: FastifyInstance, dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  await deleteStaleTempFiles(dir);
  const timer = setInterval(() => {
    deleteStaleTempFiles(dir).catch((error: unknown) => app.log.error({ err: error }, 'temporary files could not be deleted'));
  }, hour).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

// No request takes an hour.
async function deleteStaleTempFiles(dir: string) {
  const before = Date.now() - hour;
  for (const name of await readdir(dir)) {
    const path = join(dir, name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs < before) await rm(path, { force: true, recursive: true });
  }
}
