import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { AppError } from '../errors.ts';
import { type FileStore, cacheForever, fileCacheControl, filesPrefix, isKey, isPublicKey } from './file-store.ts';
import { openS3Client, S3Error, type S3Settings } from './s3-client.ts';

// The maximum of one call.
const deletionBatch = 1000;

const getStatus = (error: unknown) => (error instanceof S3Error ? error.status : undefined);

// Buckets with a quota and self-hosted stores fill up. They have no common error code for it.
const isFull = (error: unknown) =>
  getStatus(error) === 507 || (error instanceof Error && /quota|storagefull|insufficient/i.test(error.name));

/** Stores files in a bucket of any S3-compatible store. They are served through this server, so the bucket can stay private. */
export function openS3Store(settings: S3Settings, onFault: (error: unknown) => void): FileStore {
  const call = openS3Client(settings);
  const toAppError = (error: unknown) => {
    onFault(error);
    return new AppError(isFull(error) ? 'storage_full' : 'storage_unavailable');
  };

  return {
    async put(key, data, contentType) {
      if (!isKey(key)) throw new Error(`Not a key: ${key}`);
      const headers = { 'content-type': contentType, 'cache-control': isPublicKey(key) ? fileCacheControl : 'private, no-store' };
      await call({ method: 'PUT', key, headers, body: data })
        .then(text)
        .catch((error: unknown) => {
          throw toAppError(error);
        });
    },

    async read(key) {
      try {
        return await call({ method: 'GET', key });
      } catch (error) {
        if (getStatus(error) === 404) return undefined;
        throw toAppError(error);
      }
    },

    async delete(keys) {
      for (let from = 0; from < keys.length; from += deletionBatch) {
        const objects = keys.slice(from, from + deletionBatch).map((key) => `<Object><Key>${key}</Key></Object>`);
        const body = Buffer.from(`<Delete><Quiet>true</Quiet>${objects.join('')}</Delete>`);
        const headers = { 'content-type': 'application/xml', 'content-md5': createHash('md5').update(body).digest('base64') };
        const answer = await call({ method: 'POST', key: '?delete', headers, body })
          .then(text)
          .catch((error: unknown) => {
            throw toAppError(error);
          });
        const refused = [...answer.matchAll(/<Error>.*?<Code>([^<]+)/gs)];
        if (refused.length > 0)
          throw toAppError(new Error(`${refused.length} objects were not deleted, the first because of ${refused[0]?.[1]}`));
      }
    },

    async serve(app) {
      app.route<{ Params: { '*': string } }>({
        method: ['GET', 'HEAD'],
        url: `${filesPrefix}*`,
        handler: async (request, reply) => {
          const key = request.params['*'];
          if (!isPublicKey(key)) return reply.callNotFound();
          const known = request.headers['if-none-match'];
          try {
            const found = await call({
              method: request.method === 'HEAD' ? 'HEAD' : 'GET',
              key,
              ...(known && { headers: { 'if-none-match': known } }),
            });
            const { 'content-type': type, 'content-length': size, etag } = found.headers;
            cacheForever(reply).type(type ?? 'application/octet-stream');
            if (etag) reply.header('etag', etag);
            if (size !== undefined) reply.header('content-length', size);
            if (request.method === 'GET') return await reply.send(found);
            found.resume();
            return await reply.send('');
          } catch (error) {
            if (getStatus(error) === 304) return cacheForever(reply).code(304).send();
            if (getStatus(error) === 404) return reply.callNotFound();
            throw toAppError(error);
          }
        },
      });
    },
  };
}
