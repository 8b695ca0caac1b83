import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error The package has no types.
import S3rver from 's3rver';

type S3Server = { run(): Promise<{ port: number }>; close(): Promise<void> };
type S3ServerClass = new (options: {
  address: string;
  port: number;
  silent: boolean;
  directory: string;
  configureBuckets: { name: string }[];
}) => S3Server;

/** A server that speaks S3, with one empty bucket. `settings` are those of the store. */
export async function startS3() {
  const directory = mkdtempSync(join(tmpdir(), 'handwise-s3-'));
  const server = new (S3rver as S3ServerClass)({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'pictures' }],
  });
  const { port } = await server.run();
  return {
    settings: {
      bucket: 'pictures',
      endpoint: `http://127.0.0.1:${port}`,
      region: 'ap-southeast-2',
      // The only pair that the server knows.
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
    async stop() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
