import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/**
 * One call of the API. The server's route, the browser's client, the validation of forms and the API page are all derived from it.
 *
 * `url` is relative to `/api`, with `:name` for each of `params`.
 * `errors` lists the error codes of this call besides those that `server/src/kit/http.ts` adds to every call of its kind.
 */
export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: `/${string}`;
  /** What the call does, as one phrase that begins with a verb. `details` has whole sentences for everything else. */
  readonly summary: string;
  readonly details?: string;
  /** Who may call: everyone, everyone with more in the response for a session, signed-in users, or administrators. */
  readonly access: 'public' | 'optional' | 'session' | 'admin';
  /** Whether the user must have signed in or called `POST /auth/confirm-identity` within the last `recentMinutes`. */
  readonly recent?: true;
  /** The HTTP status of success; 200 by default. */
  readonly status?: 201 | 202;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Headers besides the session's, with names in lower case. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** A multipart form instead of a body: its text fields and its file fields. */
  readonly form?: z.ZodObject;
  readonly files?: Readonly<Record<string, FileField>>;
  /** Whether a form without files may also be sent as JSON. */
  readonly jsonToo?: true;
  readonly response: z.ZodType;
  /** The media type of a successful response that is not JSON. */
  readonly mediaType?: `${string}/${string}`;
  readonly errors: readonly ErrorCode[];
};

export type FileField = { readonly maxFiles: number; readonly maxBytes: number; readonly required?: true };

type Part<C, K extends string, Side extends 'in' | 'out'> =
  C extends Record<K, infer S extends z.ZodType> ? { [P in K]: Side extends 'in' ? z.input<S> : z.output<S> } : unknown;

type Files<C> = C extends { files: infer F } ? { files: { [Field in keyof F]?: readonly Blob[] } } : unknown;

/** The arguments of a call: its params, headers, query, body, or form and files. */
export type CallInput<C extends Call> = Part<C, 'params', 'in'> &
  Part<C, 'headers', 'in'> &
  Part<C, 'query', 'in'> &
  Part<C, 'body', 'in'> &
  Part<C, 'form', 'in'> &
  Files<C>;
/** The body of a successful response. */
export type CallOutput<C extends Call> = z.output<C['response']>;

/** A browser that has signed in before sends this header: wrong passwords slow it down instead of locking it out. */
export const deviceHeader = 'x-device';
