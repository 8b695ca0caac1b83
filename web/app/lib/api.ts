import { type CallAddress, type InputOf, type OutputOf, fillPath } from '@handwise/contract/calls';
import type { ErrorBody } from '@handwise/contract/errors';
import { ApiError, connectionProblem } from './api-error.ts';
import { takeEarlyResponse } from './document/early-calls.ts';
import { withConfirmedIdentity } from './session/confirmation-retry.ts';
import { forgetUser, readUser } from './session/stored-user.ts';

type RequestParts = { params?: Record<string, unknown>; query?: Record<string, unknown>; headers?: Record<string, string>; body?: object };

/**
 * Calls the API as the stored user, if there is one.
 *
 * `call('GET /listing/:id', { params: { id } })`: the compiler holds the address, the input and the answer to the contract.
 *
 * Asks the user to confirm their identity and retries if the server requires it. Throws `ApiError`, and signs out if the session is over.
 */
export function call<A extends CallAddress>(address: A, input: InputOf<A>, signal?: AbortSignal): Promise<OutputOf<A>> {
  return withConfirmedIdentity(() => send(address, input, signal));
}

async function send<A extends CallAddress>(address: A, input: InputOf<A>, signal?: AbortSignal): Promise<OutputOf<A>> {
  const { params = {}, query = {}, headers = {}, body: payload } = (input ?? {}) as RequestParts;
  const [method, path] = fillPath(address, params);
  const entries = Object.entries(query).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]]));
  const search = new URLSearchParams(entries).toString();
  const target = `${path}${search && `?${search}`}`;
  const token = readUser()?.token;
  const early = method === 'GET' ? takeEarlyResponse(target, token)?.catch(() => undefined) : undefined;

  let response: Response;
  let body: unknown;
  try {
    response =
      (early && (await early)) ??
      (await fetch(`/api${target}`, {
        method,
        headers: {
          ...headers,
          Accept: 'application/json',
          ...(payload && { 'Content-Type': 'application/json' }),
          ...(token && { Authorization: `Bearer ${token}` }),
        },
        ...(payload && { body: JSON.stringify(payload) }),
        ...(signal && { signal }),
      }));
    // A response cut off in the middle counts as none.
    body = parsed(await response.text());
  } catch (error) {
    if (signal?.aborted) throw error;
    throw noResponse();
  }
  if (response.ok && body !== undefined) return body as OutputOf<A>;
  // The response comes from a proxy instead of the server.
  if (response.ok) throw noResponse();
  throw getError(response.status, body, token);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** For `upload` too. */
export const noResponse = () => new ApiError(0, 'network', connectionProblem);

export function getError(status: number, body: unknown, token: string | undefined) {
  const problem = body as Partial<ErrorBody> | null | undefined;
  const code = problem?.code ?? 'internal';
  if (token && code === 'not_authenticated') forgetUser(token);
  return new ApiError(status, code, problem?.message ?? 'An unexpected error occurred', problem?.errors);
}
