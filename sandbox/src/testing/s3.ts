import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startServer } from '../stand-in-server.ts';

const bucket = 'pictures';
const accessKeyId = 'AKIAIOSFODNN7EXAMPLE';
const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, content: string) => createHmac('sha256', key).update(content).digest();

type Signed = { method: string; url: string; headers: Record<string, string | string[] | undefined>; authorization: string };

/** The signature that Amazon's documentation prescribes for a request, from the parts that its header names. */
export function computeSignature({ method, url, headers, authorization }: Signed): string {
  const { pathname, searchParams } = new URL(url, 'http://s3');
  const [, scope = '', names = ''] = /Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+)/.exec(authorization) ?? [];
  const [day = '', region = '', service = ''] = scope.split('/');
  const query = [...searchParams].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).toSorted();
  const canonical = [
    method,
    pathname,
    query.join('&'),
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  return hmac(key, ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')).toString('hex');
}

/** A server that speaks the part of S3 that the store uses, with one empty bucket. `settings` are those of the store. */
export async function startS3() {
  const objects = new Map<string, { type: string; content: Buffer; etag: string }>();
  const refuse = (response: ServerResponse, status: number, code: string) =>
    response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code><Message>no</Message></Error>`);

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { method = '', url = '', headers } = request;
    const body = await buffer(request);
    const { authorization = '' } = headers;
    const isSigned =
      authorization.endsWith(`Signature=${computeSignature({ method, url, headers, authorization })}`) &&
      headers['x-amz-content-sha256'] === sha256(body);
    if (!isSigned) return refuse(response, 403, 'SignatureDoesNotMatch');
    const { pathname, searchParams } = new URL(url, 'http://s3');
    const [, name, key = ''] = /^\/([^/]+)\/(.*)$/.exec(pathname) ?? [];
    if (name !== bucket) return refuse(response, 404, 'NoSuchBucket');
    if (method === 'POST' && searchParams.has('delete')) {
      if (headers['content-md5'] !== createHash('md5').update(body).digest('base64')) return refuse(response, 400, 'InvalidDigest');
      for (const [, one = ''] of body.toString().matchAll(/<Key>([^<]+)<\/Key>/g)) objects.delete(one);
      return response.end('<DeleteResult/>');
    }
    if (method === 'PUT') {
      objects.set(key, { type: headers['content-type'] ?? '', content: body, etag: `"${createHash('md5').update(body).digest('hex')}"` });
      return response.end();
    }
    const found = objects.get(key);
    if (!found) return refuse(response, 404, 'NoSuchKey');
    if (headers['if-none-match'] === found.etag) return response.writeHead(304).end();
    response.writeHead(200, { 'content-type': found.type, 'content-length': found.content.length, etag: found.etag });
    return response.end(method === 'HEAD' ? undefined : found.content);
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  const { url, close } = await startServer(server);
  return {
    settings: {
      bucket,
      endpoint: url,
      region: 'ap-southeast-2',
      accessKeyId,
      secretAccessKey,
    },
    stop: close,
  };
}
