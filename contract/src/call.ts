import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/**
 * One call of the API, described once: the server registers its route from it, the browser's client calls it,
 * forms validate with its `body`, and the API page is written from it.
 *
 * `url` is relative to `/api`, with `:name` for each of `params`.
 * `errors` lists the codes that this call can answer with beyond what `server/src/kit/http.ts` adds for every call of its kind.
 */
export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: `/${string}`;
  /** What it does: one phrase that begins with a verb. What else a caller must know stands in `details`, as sentences. */
  readonly summary: string;
  readonly details?: string;
  /** Who may call: anybody, anybody but answering more to a session, only a session, or only an administrator's. */
  readonly access: 'public' | 'optional' | 'session' | 'admin';
  /** Whether one's identity must have been proved in the last minutes: by signing in, or by `POST /auth/confirm-identity`. */
  readonly recent?: true;
  /** The HTTP status of success, 200 unless said. */
  readonly status?: 201 | 202;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Headers beyond the session's, their names in lower case. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** For a multipart form instead of a body: its text fields, and the file fields with what each may carry. */
  readonly form?: z.ZodObject;
  readonly files?: Readonly<Record<string, FileField>>;
  /** Whether the text fields of a form may also come as JSON, without files. */
  readonly jsonToo?: true;
  readonly response: z.ZodType;
  /** Of the answer of success, where that is no JSON. */
  readonly mediaType?: `${string}/${string}`;
  readonly errors: readonly ErrorCode[];
};

export type FileField = { readonly maxFiles: number; readonly maxBytes: number; readonly required?: true };

type Part<C, K extends string, Side extends 'in' | 'out'> =
  C extends Record<K, infer S extends z.ZodType> ? { [P in K]: Side extends 'in' ? z.input<S> : z.output<S> } : unknown;

type Files<C> = C extends { files: infer F } ? { files: { [Field in keyof F]?: readonly Blob[] } } : unknown;

/** What a caller hands over: params, query, body or form and files, as far as the call has them. */
export type CallInput<C extends Call> = Part<C, 'params', 'in'> &
  Part<C, 'headers', 'in'> &
  Part<C, 'query', 'in'> &
  Part<C, 'body', 'in'> &
  Part<C, 'form', 'in'> &
  Files<C>;
/** The call's body on success. */
export type CallOutput<C extends Call> = z.output<C['response']>;

/** A browser that has signed in before sends this header: wrong passwords slow it down instead of locking it out. */
export const deviceHeader = 'x-device';
