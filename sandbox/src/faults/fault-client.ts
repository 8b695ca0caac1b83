import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { patience, type Server } from './fault-servers.ts';

/** The test killed the server, the only acceptable reason for a lost response. */
export class LostAnswer extends Error {}

export type ApiResponse = { status: number; body: any; retryAfter: string | null };

/** A photo of about 20 kB that hardly compresses. */
export const photo = await sharp({
  create: { width: 90, height: 70, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 60 }, background: '#888' },
})
  .png()
  .toBuffer();

/** A form as a browser encodes it. */
export async function encodeForm(fields: Record<string, string | readonly string[]>, photos: readonly Uint8Array[]) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) form.append(name, one);
  for (const bytes of photos) form.append('serviceImages[]', new Blob([new Uint8Array(bytes)]), 'photo.png');
  const encoded = new Response(form);
  return { type: encoded.headers.get('content-type') ?? '', bytes: Buffer.from(await encoded.arrayBuffer()) };
}

type Body = object | { type: string; bytes: Buffer };

const encoded = (body: Body | undefined) =>
  body && 'bytes' in body ? body : { type: 'application/json', bytes: Buffer.from(body ? JSON.stringify(body) : '') };

/**
 * One request on its own connection. Throws if there is no response, a `LostAnswer` if the test has killed the server. With `pauseHalfway`
 * it waits after half of the body.
 */
export function callOnce(
  server: Server,
  token: string | null,
  method: string,
  path: string,
  body?: Body,
  pauseHalfway?: () => Promise<void>,
): Promise<ApiResponse> {
  const { type, bytes } = encoded(body);
  return new Promise((resolve, fail) => {
    const reject = (error: unknown) => fail(server.killed ? new LostAnswer(`${method} ${path}`, { cause: error }) : error);
    const sending = request(`${server.address}/api${path}`, {
      method,
      agent: false,
      headers: {
        ...(body && { 'content-type': type, 'content-length': bytes.length }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
    });
    sending.on('error', reject);
    sending.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => {
        const isJson = response.headers['content-type']?.includes('json');
        resolve({
          status: response.statusCode ?? 0,
          body: isJson ? JSON.parse(text) : text,
          retryAfter: response.headers['retry-after'] ?? null,
        });
      });
    });
    if (!pauseHalfway) return void sending.end(bytes);
    const half = Math.floor(bytes.length / 2);
    sending.write(bytes.subarray(0, half));
    pauseHalfway().then(() => sending.end(bytes.subarray(half)), reject);
  });
}

// Overloaded, as after a start on a busy machine, or receiving as many forms of this member as it takes at a time.
const isBusy = ({ status, body }: ApiResponse) => status === 503 || body.code === 'too_many_uploads';

/** Repeats a call while the server is busy. */
export async function callPatiently(...call: Parameters<typeof callOnce>): Promise<ApiResponse> {
  for (const until = performance.now() + patience; ; await pause(50)) {
    const answer = await callOnce(...call);
    if (!isBusy(answer) || performance.now() > until) return answer;
  }
}

/** A client that repeats each call that a killed or busy server did not carry out, and replaces a killed server. */
export function patientClient(world: { startServer: () => Promise<Server> }, first: Server) {
  let starting = Promise.resolve(first);
  const alive = async () => {
    for (;;) {
      const server = await starting;
      if (!server.killed) return server;
      const again = starting;
      starting = again.then(async (last) => {
        if (last !== server) return last;
        await server.exit;
        return world.startServer();
      });
    }
  };
  const repeat = async (isRepeated: (ending: ApiResponse | LostAnswer) => boolean, send: (server: Server) => Promise<ApiResponse>) => {
    for (const until = performance.now() + patience; ; await pause(50)) {
      const ending = await send(await alive()).catch((error: unknown) => {
        if (error instanceof LostAnswer) return error;
        throw error;
      });
      if (!isRepeated(ending) || performance.now() > until) {
        if (ending instanceof LostAnswer) throw ending;
        return ending;
      }
    }
  };
  return {
    alive,
    /** Also repeats calls without a response. */
    call: (seller: { token: string }, method: string, path: string, body?: Body): Promise<ApiResponse> =>
      repeat(
        (ending) => ending instanceof LostAnswer || isBusy(ending),
        (server) => callOnce(server, seller.token, method, path, body),
      ),
    /** Gives up if the server is killed. */
    callOnce: (seller: { token: string }, method: string, path: string, body?: Body): Promise<ApiResponse> =>
      repeat(
        (ending) => !(ending instanceof LostAnswer) && ending.body.code === 'unavailable',
        (server) => callOnce(server, seller.token, method, path, body),
      ),
  };
}
