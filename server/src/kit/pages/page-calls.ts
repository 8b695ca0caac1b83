import { createHash } from 'node:crypto';
import type { Call, CallInput, CallOutput } from '@handwise/contract/call';
import type { ErrorBody } from '@handwise/contract/errors';
import type { FastifyInstance, FastifyRequest, LightMyRequestResponse } from 'fastify';
import { data } from 'react-router';
import { AppError } from '../errors.ts';
import type { Shown } from '../kept/kept-answers.ts';
import { shownOf } from '../kept/shown-header.ts';

type Asked = { method: Call['method']; url: string; query: Record<string, string> };
/** A call that a page was made of, with the tag of its answer. */
export type PageCall = Asked & { tag: string };

type Options = { secret: string; isOwn: boolean };

/** The calls of one page. Pages read through the same calls as browsers do, without a network between; each is made once. */
export class PageCalls {
  readonly #app: FastifyInstance;
  readonly #request: FastifyRequest;
  readonly #options: Options;
  readonly #answers = new Map<string, Promise<LightMyRequestResponse>>();
  readonly #made = new Map<string, { call: PageCall; shown: Shown | null }>();

  constructor(app: FastifyInstance, request: FastifyRequest, options: Options) {
    this.#app = app;
    this.#request = request;
    this.#options = options;
  }

  get made(): PageCall[] {
    return [...this.#made.values()].map(({ call }) => call);
  }

  /** What the answers show; null where one does not say it, so that nobody knows when it is too old. */
  get shown(): Shown[] | null {
    const all = [...this.#made.values()].flatMap(({ shown }) => shown ?? []);
    return all.length === this.#made.size ? all : null;
  }

  /** Whether these calls are still answered as they were: then what was made of their answers would be made again. */
  async answerAs(earlier: readonly PageCall[]): Promise<boolean> {
    const same = await Promise.all(earlier.map(async ({ tag, ...asked }) => (await this.#ask(asked)).tag === tag));
    if (same.every(Boolean)) return true;
    // What is made anew says by itself what it is made of.
    this.#made.clear();
    return false;
  }

  call = async <C extends Call>(call: C, input: CallInput<C>): Promise<CallOutput<C>> => {
    const { params = {}, query: given = {} } = input as { params?: Record<string, unknown>; query?: Record<string, unknown> };
    const path = call.url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
    const query = Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    const { answer } = await this.#ask({ method: call.method, url: `/api${path}`, query });
    if (answer.statusCode < 400) return answer.json();
    const { code, errors, message } = answer.json<ErrorBody>();
    // A page of 503, not of 500: whoever reads or keeps it must know that it passes.
    if ([429, 503, 507].includes(answer.statusCode)) throw data({ message }, { status: 503 });
    throw Object.assign(new AppError(code, { fields: errors }), { status: answer.statusCode });
  };

  async #ask(asked: Asked) {
    const name = `${asked.method} ${asked.url} ${JSON.stringify(asked.query)}`;
    const pending = this.#answers.get(name) ?? this.#inject(asked);
    this.#answers.set(name, pending);
    const answer = await pending;
    const tag = answer.headers['etag'] ?? createHash('sha256').update(answer.rawPayload).digest('base64url');
    this.#made.set(name, { call: { ...asked, tag }, shown: shownOf(answer.headers) });
    return { answer, tag };
  }

  #inject(asked: Asked) {
    const { secret, isOwn } = this.#options;
    return this.#app.inject({
      ...asked,
      headers: { host: this.#request.headers.host ?? '', 'x-internal': secret, ...(isOwn && { 'cache-control': 'no-cache' }) },
      // What it takes is whose the page is.
      remoteAddress: this.#request.ip,
    });
  }
}
