import type { Readable } from 'node:stream';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { AppError } from '../errors.ts';
import { type FileStore, cacheForever, fileCacheControl, filesPrefix, isKey, isPublicKey } from './file-store.ts';

export type S3Settings = {
  bucket: string;
  /** Undefined for Amazon. Others are addressed by path, which all of them support. */
  endpoint?: string | undefined;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

// The maximum of one call.
const deletionBatch = 1000;

const getStatus = (error: unknown) => (error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined);

// Buckets with a quota and self-hosted stores fill up. They have no common error code for it.
const isFull = (error: unknown) =>
  getStatus(error) === 507 || (error instanceof Error && /quota|storagefull|insufficient/i.test(error.name));

/** Stores files in a bucket of any S3-compatible store. They are served through this server, so the bucket can stay private. */
export function openS3Store(settings: S3Settings, onFault: (error: unknown) => void): FileStore {
  const { bucket: Bucket, endpoint, region, accessKeyId, secretAccessKey } = settings;
  const client = new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    ...(endpoint && { endpoint, forcePathStyle: true }),
    // Not all other stores support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // A slow visitor holds a connection for as long as the download of a picture takes.
    requestHandler: { connectionTimeout: 3_000, socketTimeout: 20_000, httpsAgent: { maxSockets: 200 }, httpAgent: { maxSockets: 200 } },
  });
  const toAppError = (error: unknown) => {
    onFault(error);
    return new AppError(isFull(error) ? 'storage_full' : 'storage_unavailable');
  };

  return {
    async put(key, data, contentType) {
      if (!isKey(key)) throw new Error(`Not a key: ${key}`);
      const command = new PutObjectCommand({
        Bucket,
        Key: key,
        Body: data,
        ContentType: contentType,
        ContentLength: data.length,
        CacheControl: isPublicKey(key) ? fileCacheControl : 'private, no-store',
      });
      await client.send(command).catch((error: unknown) => {
        throw toAppError(error);
      });
    },

    async read(key) {
      try {
        return (await client.send(new GetObjectCommand({ Bucket, Key: key }))).Body as Readable;
      } catch (error) {
        if (getStatus(error) === 404) return undefined;
        throw toAppError(error);
      }
    },

    async delete(keys) {
      for (let from = 0; from < keys.length; from += deletionBatch) {
        const Objects = keys.slice(from, from + deletionBatch).map((Key) => ({ Key }));
        const { Errors = [] } = await client
          .send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }))
          .catch((error: unknown) => {
            throw toAppError(error);
          });
        if (Errors.length > 0)
          throw toAppError(new Error(`${Errors.length} objects were not deleted, the first because of ${Errors[0]?.Code}`));
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
          const wanted = { Bucket, Key: key, ...(known && { IfNoneMatch: known }) };
          try {
            const found = await (request.method === 'HEAD'
              ? client.send(new HeadObjectCommand(wanted))
              : client.send(new GetObjectCommand(wanted)));
            cacheForever(reply).type(found.ContentType ?? 'application/octet-stream');
            if (found.ETag) reply.header('etag', found.ETag);
            if (found.ContentLength !== undefined) reply.header('content-length', found.ContentLength);
            return await reply.send('Body' in found ? (found.Body as Readable) : '');
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
