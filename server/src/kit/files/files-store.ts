import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../errors.ts';

/**
 * Where uploaded files lie. Keys are made by the server, of letters, digits, `-`, `/` and one `.`; a key never changes its
 * content. Every function throws `storage_full` or `storage_unavailable` where the store does.
 */
export type FileStore = {
  /** Stores all of it or nothing: no reader ever sees a part. */
  put(key: string, data: Buffer, contentType: string): Promise<void>;
  /** A file’s content as a stream; undefined where it is not there. */
  read(key: string): Promise<Readable | undefined>;
  /** Keys that are not there count as deleted. */
  delete(keys: readonly string[]): Promise<void>;
  /** Serves the files below `filesPrefix`. To be called once, before the app listens. */
  serve(app: FastifyInstance): Promise<void>;
};

export const filesPrefix = '/files/';

// What a visitor uploaded never runs, whatever a browser takes it for.
export const inertPolicy = "default-src 'none'; sandbox";

/** For answers that stay right for good, because a key never changes its content. */
export const cacheForGood = (reply: FastifyReply) =>
  reply.header('cache-control', 'public, max-age=31536000, immutable').header('content-security-policy', inertPolicy);

const keyShape = /^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*)*\.[a-z0-9]+$/i;

/** Whether a text can be a key at all. Keys from an address are asked this before they reach a disk or a bucket. */
export const isKey = (text: string) => text.length <= 200 && keyShape.test(text);

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Whether a disk or a quota is full, rather than broken. */
const isDiskFull = (error: unknown) => /^(ENOSPC|EDQUOT)$/.test(codeOf(error));

/** The answer for a disk that does not do what it is asked to. */
export const diskError = (error: unknown) => new AppError(isDiskFull(error) ? 'storage_full' : 'storage_unavailable');

export const isMissing = (error: unknown) => codeOf(error) === 'ENOENT';

const hour = 3_600_000;

/** Makes a folder for files under way, and keeps it free of what a killed process left there. Others may be using it. */
export async function openScratchFolder(app: FastifyInstance, dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  await sweepScratch(dir);
  const timer = setInterval(() => {
    sweepScratch(dir).catch((error: unknown) => app.log.error({ err: error }, 'temporary files could not be deleted'));
  }, hour).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

// No request lasts an hour.
async function sweepScratch(dir: string) {
  const before = Date.now() - hour;
  for (const name of await readdir(dir)) {
    const path = join(dir, name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs < before) await rm(path, { force: true, recursive: true });
  }
}
