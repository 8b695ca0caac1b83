import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { startServer } from '../stand-in-server.ts';

type Receiver = { keys: ReturnType<typeof createECDH>; auth: Buffer };
export type ReceivedPush = { endpoint: string; payload: string; receivedAt: string; urgency: string; secondsToLive: number };
/** What `pushManager.subscribe` gives a browser. */
export type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } };

const derive = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number) => Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));

/** Decrypts a message of one record (RFC 8291 and 8188). Throws if it is not for this receiver. */
function decrypt(body: Buffer, { keys, auth }: Receiver): string {
  const salt = body.subarray(0, 16);
  const senderKey = body.subarray(21, 21 + (body[20] ?? 0));
  const encrypted = body.subarray(21 + senderKey.length);
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), senderKey]);
  const secret = derive(keys.computeSecret(senderKey), auth, about, 32);
  const decipher = createDecipheriv(
    'aes-128-gcm',
    derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
    derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12),
    { authTagLength: 16 },
  ).setAuthTag(encrypted.subarray(-16));
  const padded = Buffer.concat([decipher.update(encrypted.subarray(0, -16)), decipher.final()]);
  // The last byte that is not zero ends the text.
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}

/** Whether the sender signed for this service (VAPID, RFC 8292). */
function isSigned(authorization: string, origin: string): boolean {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  if (point.length !== 65) return false;
  const jwk = { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') };
  const publicKey = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const };
  const { aud, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string; exp: number };
  const isAuthentic = verify('sha256', Buffer.from(`${header}.${claims}`), publicKey, Buffer.from(signature, 'base64url'));
  return isAuthentic && aud === origin && exp * 1000 > Date.now();
}

/** A push service for this machine. It has the receivers' keys, so it shows what browsers would get. Everything is in memory. */
export class PushService {
  readonly #receivers = new Map<string, Receiver>();
  readonly received: ReceivedPush[] = [];
  /** For tests: the status of the next answers instead of accepting. */
  readonly failures: number[] = [];
  /** For tests: endpoints that take a message and never answer. */
  readonly silent = new Set<string>();
  origin = '';

  subscribe(): Subscription {
    const id = randomBytes(16).toString('base64url');
    const keys = createECDH('prime256v1');
    keys.generateKeys();
    const auth = randomBytes(16);
    this.#receivers.set(id, { keys, auth });
    const endpoint = `${this.origin}/push/${id}`;
    return { endpoint, keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') } };
  }

  /** Later messages are answered with 410. */
  unsubscribe(endpoint: string): void {
    this.#receivers.delete(endpoint.split('/').at(-1) ?? '');
  }

  /** Answers requests below `/push`. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, , id = ''] = (request.url ?? '').split('/');
    const send = (status: number, body: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' })
        .end(JSON.stringify(body));
    if (request.method === 'GET' && !id) return void send(200, this.received);
    if (request.method !== 'POST') return void send(404, { error: 'Not found' });
    if (id === 'subscriptions') return void send(201, this.subscribe());
    if (!this.silent.has(`${this.origin}/push/${id}`)) send(await this.#receive(request, id), {});
  }

  async #receive(request: IncomingMessage, id: string): Promise<number> {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of request as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > 4_096) return 413;
      parts.push(part);
    }
    const failure = this.failures.shift();
    if (failure !== undefined) return failure;
    const receiver = this.#receivers.get(id);
    if (!receiver) return 410;
    try {
      const { authorization = '', urgency = '', ttl } = request.headers;
      if (!isSigned(authorization, this.origin)) return 403;
      this.received.unshift({
        endpoint: `${this.origin}/push/${id}`,
        payload: decrypt(Buffer.concat(parts), receiver),
        receivedAt: new Date().toISOString(),
        urgency: String(urgency),
        secondsToLive: Number(ttl),
      });
      this.received.splice(200);
      return 201;
    } catch {
      return 400;
    }
  }
}

/** A push service on a port of its own, for tests. */
export async function startPushService() {
  const service = new PushService();
  const server = createServer((request, response) => void service.answer(request, response));
  const { url, close } = await startServer(server);
  service.origin = url;
  return Object.assign(service, { close });
}
