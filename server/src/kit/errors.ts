import { type ErrorBody, type ErrorCode, errors, tooManyText } from '@handwise/contract/errors';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { isDatabaseFull, isUnavailable } from './database/database.ts';
import { rightBackPage } from './pages/right-back-page.ts';

export type FieldError = { field: string; message: string };
export type ErrorDetails = { message?: string; fields?: readonly FieldError[]; retryAfterSeconds?: number; log?: object };

/** Seconds after which a client may try again, unless the error knows better. */
const retryAfterOf: Partial<Record<number, number>> = { 503: 5, 507: 60 };

/** An answer that is not a success and that the caller can do something about. Status and text come from the contract. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;
  /** What an operator must know of it and nobody else. */
  readonly log: object | undefined;

  /** `message` says it more exactly than the contract's text can, such as why the issuer did not take a card. */
  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    const wait = code === 'too_many_requests' ? details.retryAfterSeconds : undefined;
    super(details.message ?? (wait === undefined ? errors[code].message : tooManyText(wait)));
    this.code = code;
    this.fields = details.fields ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds ?? retryAfterOf[errors[code].status];
    this.log = details.log;
  }
}

/** An input that the schema takes but that means nothing: answered like any other field at fault. */
export const invalidField = (field: string, message: string) => new AppError('invalid_input', { fields: [{ field, message }] });

const codeOfStatus: Partial<Record<number, ErrorCode>> = {
  403: 'forbidden',
  404: 'route_not_found',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  503: 'unavailable',
};

function asAppError(error: FastifyError | AppError, { raw }: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  // Whoever sent it has gone in the middle of it: nobody's fault, and nobody reads the answer.
  if (raw.readableAborted && error.code === 'ECONNRESET') return new AppError('malformed_request');
  if (hasZodFastifySchemaValidationErrors(error))
    return new AppError('invalid_input', { fields: oncePerField(fieldErrors(error.validation)) });
  if (isUnavailable(error)) return new AppError('unavailable', { retryAfterSeconds: 2 });
  if (isDatabaseFull(error)) return new AppError('database_full', { retryAfterSeconds: 60 });
  const status = error.statusCode ?? 500;
  return new AppError(codeOfStatus[status] ?? (status >= 400 && status < 500 ? 'malformed_request' : 'internal'));
}

/** The first error of each field: what else is wrong with it follows from that. */
export const oncePerField = (fields: readonly FieldError[]): FieldError[] =>
  [...new Map(fields.toReversed().map((one) => [one.field, one] as const)).values()].toReversed();

type ZodValidation = { instancePath: string; keyword: string; message?: string | undefined; params: Record<string, unknown> }[];

function fieldErrors(validation: ZodValidation): FieldError[] {
  return validation.flatMap(({ instancePath, keyword, message, params }) => {
    const path = instancePath.split('/').filter(Boolean);
    if (keyword === 'unrecognized_keys' && Array.isArray(params['keys'])) {
      return params['keys'].map((key) => ({ field: [...path, String(key)].join('.'), message: 'There is no such parameter' }));
    }
    return [{ field: path.join('.'), message: message ?? 'Invalid value' }];
  });
}

// A browser that goes to an address, rather than a script, a picture or a program that reads.
const wantsPage = ({ method, url, headers }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') && !url.startsWith('/api/') && /\btext\/html\b/.test(headers.accept ?? '');

/** The one error handler. What nobody expected is logged in full and answered without its text. */
export function handleError(error: FastifyError | AppError, request: FastifyRequest, reply: FastifyReply) {
  const known = asAppError(error, request);
  const { status } = errors[known.code];
  // An AppError is an answer that was meant; what else ends here is a fault of ours or of what we depend on.
  if (status >= 500 && !(error instanceof AppError)) request.log.error({ err: error }, 'request failed');
  if (status >= 500 && known.log) request.log[status === 503 ? 'warn' : 'error']({ code: known.code, because: known.log }, known.message);
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(known.retryAfterSeconds));
  reply.code(status).header('cache-control', 'no-store');
  if ((status === 503 || status === 507) && wantsPage(request)) return reply.type('text/html; charset=utf-8').send(rightBackPage);
  const body: ErrorBody = {
    message: known.fields[0]?.message && known.fields.length === 1 ? known.fields[0].message : known.message,
    code: known.code,
    errors: [...known.fields],
    requestId: request.id,
  };
  return reply.send(body);
}

export const handleNotFound = (_request: FastifyRequest, _reply: FastifyReply) => {
  throw new AppError('route_not_found');
};
