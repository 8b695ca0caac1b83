import { createHash } from 'node:crypto';
import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { sign } from 'aws4';

export type S3Settings = {
  bucket: string;
  /** Undefined for Amazon. Others are addressed by path, which all of them support. */
  endpoint?: string | undefined;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** An answer other than success; `name` is the store's code, as far as it says one. */
export class S3Error extends Error {
  readonly status: number;

  constructor(status: number, body: string) {
    const [, code = `HTTP${status}`] = /<Code>([^<]+)<\/Code>/.exec(body) ?? [];
    super(`${code}: ${/<Message>([^<]+)<\/Message>/.exec(body)?.[1] ?? `the store answered ${status}`}`);
    this.name = code;
    this.status = status;
  }
}

type Call = { method: 'GET' | 'HEAD' | 'PUT' | 'POST'; key: string; headers?: Record<string, string>; body?: Buffer };

const connectMs = 3_000;
const idleMs = 20_000;
const attempts = 3;
// A slow visitor holds a connection for as long as the download of a picture takes.
const connections = { keepAlive: true, maxSockets: 200 };

const isPassing = (error: unknown) => !(error instanceof S3Error) || error.status >= 500 || error.status === 429;

function endIfNotConnected(socket: Socket, request: http.ClientRequest): void {
  if (!socket.connecting) return;
  const timer = setTimeout(() => request.destroy(new Error('the store did not accept a connection in time')), connectMs);
  for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(timer));
}

/** Calls an S3-compatible store, up to three times if it is away or busy. */
export function openS3Client({ bucket, endpoint, region, accessKeyId, secretAccessKey }: S3Settings) {
  const base = new URL(endpoint ? `${endpoint.replace(/\/$/, '')}/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`);
  const path = base.pathname.replace(/\/$/, '');
  const { request, Agent } = base.protocol === 'http:' ? http : https;
  const agent = new Agent(connections);

  const callOnce = ({ method, key, headers = {}, body = Buffer.alloc(0) }: Call) =>
    new Promise<http.IncomingMessage>((done, fail) => {
      const signed = sign(
        {
          service: 's3',
          region,
          method,
          path: `${path}/${key}`,
          headers: {
            ...headers,
            host: base.host,
            'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
            ...(body.length > 0 && { 'content-length': String(body.length) }),
          },
        },
        { accessKeyId, secretAccessKey },
      );
      const sent = request({
        agent,
        method,
        hostname: base.hostname,
        port: base.port,
        path: signed.path ?? '',
        headers: signed.headers as http.OutgoingHttpHeaders,
        timeout: idleMs,
      });
      sent.on('socket', (socket) => endIfNotConnected(socket, sent));
      sent.on('timeout', () => sent.destroy(new Error('the store did not answer in time')));
      sent.on('error', fail);
      sent.on('response', done);
      sent.end(body);
    });

  /** The answer, whose body must be read. Throws an `S3Error`, or what the connection failed with. */
  return async function call(one: Call): Promise<http.IncomingMessage> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await callOnce(one);
        const { statusCode: status = 0 } = response;
        if (status >= 200 && status < 300) return response;
        throw new S3Error(status, await text(response));
      } catch (error) {
        if (attempt === attempts || !isPassing(error)) throw error;
        await pause(100 * 2 ** attempt * Math.random());
      }
    }
  };
}
