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
type Init = { method?: string; body?: string | URLSearchParams };

const readBody = (body: string | URLSearchParams) => (typeof body === 'string' ? JSON.parse(body) : Object.fromEntries(body));

/**
 * Answers the calls of the API until the test file ends, by address such as `GET /alerts`, each with the next of its answers and then with the
 * last one again. Returns the calls made.
 */
export function answerCalls(answers: Record<string, readonly (Outcome | Promise<Outcome>)[]>): Call[] {
  const calls: Call[] = [];
  const counts = new Map<string, number>();
  vi.stubGlobal('fetch', async (target: string, { method = 'GET', body }: Init = {}) => {
    const path = target.replace(/^\/api/, '');
    const address = `${method} ${path.replace(/\?.*/, '')}`;
    calls.push({ method, path, body: body === undefined ? undefined : readBody(body) });
    const list = answers[address];
    if (!list) throw new Error(`No answer for ${address}`);
    const count = counts.get(address) ?? 0;
    counts.set(address, count + 1);
    const answer = await list[Math.min(count, list.length - 1)];
    if (!answer) throw new TypeError('Failed to fetch');
    return Response.json(answer.body, { status: answer.status ?? 200 });
  });
  return calls;
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
