import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, vi } from 'vitest';
import type { RootData } from '../root-data.ts';

// Longer than a second, for busy machines.
configure({ asyncUtilTimeout: 30_000 });
afterEach(cleanup);

/** What a call is answered: a body with 200, or a status with a body. */
type Answer = { status?: number; body: object };
/** `null` breaks the connection. A promise holds the call up. */
type Outcome = Answer | null;
type Call = { method: string; path: string; body: unknown };
type Init = { method?: string; body?: string | URLSearchParams; signal?: AbortSignal };

const readBody = (body: string | URLSearchParams) => (typeof body === 'string' ? JSON.parse(body) : Object.fromEntries(body));

/**
 * Answers the calls of the API, uploads included, until the test file ends, by address such as `GET /alerts`, each with the next of its answers and
 * then with the last one again. Returns the calls made; the body of an upload is its fields, with lists of files.
 */
export function answerCalls(answers: Record<string, readonly (Outcome | Promise<Outcome>)[]>): Call[] {
  const calls: Call[] = [];
  const counts = new Map<string, number>();
  const answer = (method: string, target: string, body: unknown) => {
    const path = target.replace(/^\/api/, '');
    const address = `${method} ${path.replace(/\?.*/, '')}`;
    calls.push({ method, path, body });
    const list = answers[address];
    if (!list) throw new Error(`No answer for ${address}`);
    const count = counts.get(address) ?? 0;
    counts.set(address, count + 1);
    return list[Math.min(count, list.length - 1)];
  };
  vi.stubGlobal('fetch', async (target: string, { method = 'GET', body, signal }: Init = {}) => {
    const outcome = await answer(method, target, body === undefined ? undefined : readBody(body));
    signal?.throwIfAborted();
    if (!outcome) throw new TypeError('Failed to fetch');
    return new Response(JSON.stringify(outcome.body), { status: outcome.status ?? 200, headers: { 'Content-Type': 'application/json' } });
  });
  vi.stubGlobal(
    'XMLHttpRequest',
    class extends EventTarget {
      readonly upload = new EventTarget();
      status = 0;
      response: object | null = null;
      #target: [method: string, path: string] = ['', ''];
      open(...target: [method: string, path: string]) {
        this.#target = target;
      }
      setRequestHeader() {}
      async send(form: FormData) {
        const fields = [...new Set(form.keys())].map((name) => {
          const values = form.getAll(name);
          return [name, values[0] instanceof Blob ? values : values[0]];
        });
        const outcome = await answer(...this.#target, Object.fromEntries(fields));
        if (outcome) Object.assign(this, { status: outcome.status ?? 200, response: outcome.body });
        this.dispatchEvent(new Event(outcome ? 'load' : 'error'));
        this.dispatchEvent(new Event('loadend'));
      }
    },
  );
  return calls;
}

/** An answer that is given later: until then the call waits. */
export function createLateAnswer(given: Outcome) {
  let give = () => {};
  const answer = new Promise<Outcome>((resolve) => (give = () => resolve(given)));
  return { answer, give: () => give() };
}

type Options = { path?: string; root?: Partial<RootData>; client?: QueryClient };

/** Renders a part as on a page, with queries that are not retried. Returns the user, who presses and types. */
export function renderPart(
  part: ReactNode,
  { path = '/', root = {}, client = new QueryClient({ defaultOptions: { queries: { retry: false } } }) }: Options = {},
) {
  const router = createMemoryRouter(
    [{ id: 'root', path: '*', element: <QueryClientProvider client={client}>{part}</QueryClientProvider>, loader: () => root }],
    { initialEntries: [path], hydrationData: { loaderData: { root } } },
  );
  return { user: userEvent.setup(), router, client, ...render(<RouterProvider router={router} />) };
}
