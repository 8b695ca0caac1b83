import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const prefix = '/files/';

/** The address of a stored file. Keys are made by the server, of letters, digits, `-`, `/` and one `.`. */
export const fileUrl = (key: string) => prefix + key;

/** Serves the stored files. A key never changes its content, so browsers may keep them for good. */
export async function serveFiles(app: FastifyInstance, dir: string) {
  await mkdir(dir, { recursive: true });
  await app.register(fastifyStatic, {
    root: resolve(dir),
    prefix,
    decorateReply: false,
    immutable: true,
    maxAge: '365d',
    index: false,
    dotfiles: 'ignore',
    setHeaders: (reply) => {
      reply.header('content-security-policy', "default-src 'none'; sandbox");
    },
  });
}
