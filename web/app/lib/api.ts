import type { Call, CallInput, CallOutput } from '@handwise/contract/call';
import type { ErrorBody } from '@handwise/contract/errors';
import { ApiError } from './api-error.ts';
import { forgetUser, readUser } from './stored-user.ts';

/** The two facts of a call that a request needs. A page that must stay small writes them out instead of importing the descriptor with its schemas. */
export type CallAddress<C extends Call> = Pick<C, 'method' | 'url'>;

type RequestParts = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: object };

/**
 * Calls the API as the stored user, if there is one.
 *
 * With a descriptor: `call(getListing, { params: { id } })`. In a module that must not pull the schemas in, name the type only:
 * `call<typeof getListing>({ method: 'GET', url: '/listing/:id' }, { params: { id } })`; the compiler holds both to the contract.
 *
 * Throws `ApiError`. A session that the server no longer knows is forgotten here as well.
 */
export function call<C extends Call>(call: C, input: CallInput<C>, signal?: AbortSignal): Promise<CallOutput<C>>;
export function call<C extends Call>(address: CallAddress<C>, input: CallInput<C>, signal?: AbortSignal): Promise<CallOutput<C>>;
export async function call<C extends Call>(address: CallAddress<C>, input: CallInput<C>, signal?: AbortSignal): Promise<CallOutput<C>> {
  const { params = {}, query = {}, body: payload } = (input ?? {}) as RequestParts;
  const path = address.url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]]));
  const search = new URLSearchParams(given).toString();
  const token = readUser()?.token;

  let response: Response;
  let body: unknown;
  try {
    response = await fetch(`/api${path}${search && `?${search}`}`, {
      method: address.method,
      headers: {
        Accept: 'application/json',
        ...(payload && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      ...(payload && { body: JSON.stringify(payload) }),
      ...(signal && { signal }),
    });
    body = await response.json().catch(() => undefined);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'network', 'Network Error');
  }
  if (response.ok) return body as CallOutput<C>;

  const problem = body as Partial<ErrorBody> | undefined;
  const code = problem?.code ?? 'internal';
  if (token && code === 'not_authenticated') forgetUser(token);
  throw new ApiError(response.status, code, problem?.message ?? 'An unexpected error occurred', problem?.errors);
}
