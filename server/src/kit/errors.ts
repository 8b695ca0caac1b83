import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { type ErrorBody, type ErrorCode, errors, formatTooMany } from '@handwise/contract/errors';
import { site } from '@handwise/contract/site/site';
import { EncodedResponse } from './cache/response-cache.ts';
import { acceptedEncoding } from './cache/send-response.ts';
import { isDatabaseFull, isUnavailable } from './database/database.ts';
import { getUnavailablePage } from './pages/unavailable-page.ts';

export type FieldError = { field: string; message: string };
export type ErrorDetails = { message?: string; fields?: readonly FieldError[]; retryAfterSeconds?: number; log?: object };

/** Default `Retry-After` in seconds. */
const retryAfterOf: Partial<Record<number, number>> = { 503: 5, 507: 60 };

/** An expected error with a status and text of the contract. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;
  /** Details for the log only. */
  readonly log: object | undefined;

  /** `message` replaces the contract's text, for example with the issuer's reason for a declined card. */
  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    const wait = code === 'too_many_requests' ? details.retryAfterSeconds : undefined;
    super(details.message ?? (wait === undefined ? errors[code].message : formatTooMany(wait)));
    this.code = code;
    this.fields = details.fields ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds ?? retryAfterOf[errors[code].status];
    this.log = details.log;
  }
}

/** For a value that passes the schema but is invalid: answered like any other invalid field. */
export const invalidField = (field: string, message: string) => new AppError('invalid_input', { fields: [{ field, message }] });

const codeOfStatus: Partial<Record<number, ErrorCode>> = {
  403: 'forbidden',
  404: 'route_not_found',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  503: 'unavailable',
};

function toAppError(error: FastifyError | AppError, { raw }: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  // The client disconnected while it sent the request.
  if (raw.readableAborted && error.code === 'ECONNRESET') return new AppError('malformed_request');
  if (hasZodFastifySchemaValidationErrors(error))
    return new AppError('invalid_input', { fields: listFirstErrors(listFieldErrors(error.validation)) });
  if (isUnavailable(error)) return new AppError('unavailable', { retryAfterSeconds: 2 });
  if (isDatabaseFull(error)) return new AppError('database_full', { retryAfterSeconds: 60 });
  const status = error.statusCode ?? 500;
  return new AppError(codeOfStatus[status] ?? (status >= 400 && status < 500 ? 'malformed_request' : 'internal'));
}

/** The first error of each field; further ones are its consequences. */
export const listFirstErrors = (fields: readonly FieldError[]): FieldError[] =>
  [...new Map(fields.toReversed().map((one) => [one.field, one] as const)).values()].toReversed();

type ZodValidation = { instancePath: string; keyword: string; message?: string | undefined; params: Record<string, unknown> }[];

function listFieldErrors(validation: ZodValidation): FieldError[] {
  return validation.flatMap(({ instancePath, keyword, message, params }) => {
    const path = instancePath.split('/').filter(Boolean);
    if (keyword === 'unrecognized_keys' && Array.isArray(params['keys'])) {
      return params['keys'].map((key) => ({ field: [...path, String(key)].join('.'), message: 'There is no such parameter' }));
    }
    return [{ field: path.join('.'), message: message ?? 'Invalid value' }];
  });
}

/** Whether it is a browser's navigation, rather than a script, a picture or another client. */
export const wantsPage = ({ method, url, headers }: Pick<FastifyRequest, 'method' | 'url' | 'headers'>) =>
  (method === 'GET' || method === 'HEAD') && !url.startsWith('/api/') && /\btext\/html\b/.test(headers.accept ?? '');

// Built and compressed once for each name of the site: a server answers it the more often, the less time it has.
let unavailable: { name: string; response: EncodedResponse } | undefined;

/** Headers and body of the page that says that the site is overloaded or down, as the client accepts it. */
export async function encodeUnavailablePage({ headers }: Pick<FastifyRequest, 'headers'>) {
  if (unavailable?.name !== site.name) {
    unavailable = { name: site.name, response: new EncodedResponse(Buffer.from(getUnavailablePage()), {}) };
  }
  const encoding = acceptedEncoding(headers['accept-encoding']);
  const contentEncoding = encoding === 'identity' ? {} : { 'content-encoding': encoding };
  return {
    headers: { 'content-type': 'text/html; charset=utf-8', vary: 'accept-encoding', ...contentEncoding },
    body: await unavailable.response.as(encoding),
  };
}

async function sendUnavailable(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { headers, body } = await encodeUnavailablePage(request);
  return reply.headers(headers).send(body);
}

/** The app's error handler. Unexpected errors are logged in full and answered without their text. */
export function handleError(error: FastifyError | AppError, request: FastifyRequest, reply: FastifyReply) {
  const known = toAppError(error, request);
  const { status } = errors[known.code];
  // An AppError is expected; every other error is a bug or a failed dependency.
  if (status >= 500 && !(error instanceof AppError)) request.log.error({ err: error }, 'request failed');
  if (status >= 500 && known.log) request.log[status === 503 ? 'warn' : 'error']({ code: known.code, because: known.log }, known.message);
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(known.retryAfterSeconds));
  reply.code(status).header('cache-control', 'no-store');
  if ((status === 503 || status === 507) && wantsPage(request)) return sendUnavailable(request, reply);
  const body: ErrorBody = {
    message: known.fields[0]?.message && known.fields.length === 1 ? known.fields[0].message : known.message,
    code: known.code,
    errors: [...known.fields],
    requestId: request.id,
  };
  // A response that fails before its first byte has another type already.
  return reply.type('application/json; charset=utf-8').removeHeader('content-disposition').send(body);
}

export const handleNotFound = (_request: FastifyRequest, _reply: FastifyReply) => {
  throw new AppError('route_not_found');
};
