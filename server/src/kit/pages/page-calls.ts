import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest, LightMyRequestResponse } from 'fastify';
import { data } from 'react-router';
import type { Call } from '@handwise/contract/call';
import { type CallAddress, fillPath, type InputOf, type OutputOf } from '@handwise/contract/calls';
import type { ErrorBody } from '@handwise/contract/errors';
import { parsePolicyHeader } from '../cache/cached-routes.ts';
import { type CachePolicy, isNeverCached } from '../cache/response-cache.ts';
import { mayHaveWritten, writeCookie } from '../cache/write-cookie.ts';
import { AppError } from '../errors.ts';

type CallRequest = { method: Call['method']; url: string; query: Record<string, string> };
/** A call that a page was rendered from, with the ETag of its response. */
export type PageCall = CallRequest & { tag: string };

type Options = { secret: string; needsLatest: boolean };

/** The API calls of one page, made within this process, each once. */
export class PageCalls {
  readonly #app: FastifyInstance;
  readonly #request: FastifyRequest;
  readonly #options: Options;
  readonly #answers = new Map<string, Promise<LightMyRequestResponse>>();
  readonly #made = new Map<string, { call: PageCall; policy: CachePolicy | null }>();

  constructor(app: FastifyInstance, request: FastifyRequest, options: Options) {
    this.#app = app;
    this.#request = request;
    this.#options = options;
  }

  get made(): PageCall[] {
    return [...this.#made.values()].map(({ call }) => call);
  }

  /** The cache policies of the responses; null if one has none, so that the page can't be cached. */
  get policies(): CachePolicy[] | null {
    const policies = [...this.#made.values()].flatMap(({ policy }) => policy ?? []);
    return policies.length === this.#made.size ? policies : null;
  }

  /** Whether a response is only a part of what was asked for. */
  get isPartial(): boolean {
    return [...this.#made.values()].some(({ policy }) => policy !== null && isNeverCached(policy));
  }

  /** Whether these calls still have the same responses. */
  async answerAs(earlier: readonly PageCall[]): Promise<boolean> {
    const same = await Promise.all(earlier.map(async ({ tag, ...call }) => (await this.#fetch(call)).tag === tag));
    if (same.every(Boolean)) return true;
    // Rendering records its own calls.
    this.#made.clear();
    return false;
  }

  call = async <A extends CallAddress>(address: A, input: InputOf<A>): Promise<OutputOf<A>> => {
    const { params = {}, query: values = {} } = input as { params?: Record<string, unknown>; query?: Record<string, unknown> };
    const [method, path] = fillPath(address, params);
    const query = Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    const { answer } = await this.#fetch({ method, url: `/api${path}`, query });
    if (answer.statusCode < 400) return answer.json();
    const { code, errors, message } = answer.json<ErrorBody>();
    // The page is a 503 as well, not a 500, because it is temporary.
    if ([429, 503, 507].includes(answer.statusCode)) throw data({ message, code }, { status: 503 });
    throw Object.assign(new AppError(code, { fields: errors }), { status: answer.statusCode });
  };

  async #fetch(call: CallRequest) {
    const name = `${call.method} ${call.url} ${JSON.stringify(call.query)}`;
    const pending = this.#answers.get(name) ?? this.#inject(call);
    this.#answers.set(name, pending);
    const answer = await pending;
    const tag = answer.headers['etag'] ?? createHash('sha256').update(answer.rawPayload).digest('base64url');
    this.#made.set(name, { call: { ...call, tag }, policy: parsePolicyHeader(answer.headers) });
    return { answer, tag };
  }

  #inject(call: CallRequest) {
    const { secret, needsLatest } = this.#options;
    return this.#app.inject({
      ...call,
      headers: {
        host: this.#request.headers.host ?? '',
        'x-internal': secret,
        ...(needsLatest && { 'cache-control': 'no-cache' }),
        ...(mayHaveWritten(this.#request) && { cookie: writeCookie }),
      },
      // Limits count the call for the client of the page.
      remoteAddress: this.#request.ip,
    });
  }
}
