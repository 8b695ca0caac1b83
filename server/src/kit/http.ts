import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import type { Call } from '@handwise/contract/call';
import { type ErrorCode, errorBody, errors } from '@handwise/contract/errors';
import { readSession, requireAdmin, requireRecent, requireSession } from './identity/session-guard.ts';

const everyCall: ErrorCode[] = ['too_many_requests', 'internal', 'overloaded', 'unavailable', 'database_full'];
// Errors that precede the call's own checks.
const everyWrite: ErrorCode[] = ['malformed_request', 'body_incomplete', 'cross_origin', 'body_too_large', 'unsupported_media_type'];

function listResponses(call: Call) {
  const codes = [
    ...new Set<ErrorCode>([
      ...(call.params || call.query || call.body || call.form ? (['invalid_input'] as const) : []),
      // An expired session is rejected even if none is required.
      ...(call.access === 'public' ? [] : (['not_authenticated'] as const)),
      ...(call.access === 'admin' ? (['forbidden'] as const) : []),
      ...(call.method === 'GET' ? [] : everyWrite),
      ...(call.form ? (['too_many_uploads'] as const) : []),
      ...(call.access === 'public' || call.method === 'GET' ? [] : (['look_only'] as const)),
      ...(call.recent ? (['confirm_identity'] as const) : []),
      ...call.errors,
      ...everyCall,
    ]),
  ];
  const answers: Record<number, z.ZodType> = {};
  for (const code of codes) {
    const { status } = errors[code];
    const same = codes.filter((other) => errors[other].status === status);
    answers[status] = errorBody.describe(same.map((one) => `${one}: ${errors[one].message}`).join('\n\n'));
  }
  return answers;
}

// Forms send `?region=` for an empty field: it counts as missing.
async function dropEmptyParameters(request: FastifyRequest) {
  const query = request.query as Record<string, unknown>;
  for (const [name, value] of Object.entries(query)) if (value === '') delete query[name];
}

// A missing body is validated as `{}`, so that its required fields are reported.
async function defaultToEmptyBody(request: FastifyRequest) {
  request.body ??= {};
}

const guards: Record<Call['access'], ((request: FastifyRequest) => Promise<void>)[]> = {
  public: [],
  optional: [readSession],
  session: [requireSession],
  admin: [requireAdmin],
};

type Schema<C extends Call> = {
  params: C extends { params: infer P } ? P : z.ZodUnknown;
  querystring: C extends { query: infer Q } ? Q : z.ZodUnknown;
  body: C extends { body: infer B } ? B : z.ZodUnknown;
  response: { [Status in C extends { status: infer S extends number } ? S : 200]: C['response'] };
} & (C extends { headers: infer H } ? { headers: H } : unknown);

/** The route options of a call: method, URL, schema and access checks. The domain adds the handler. */
export function http<C extends Call>(call: C) {
  const schema = {
    ...(call.params && { params: call.params }),
    ...(call.query && { querystring: call.query }),
    ...(call.body && { body: call.body }),
    ...(call.headers && { headers: call.headers }),
    // For the API page only. The handler reads the form as a stream.
    ...(call.form && { form: call.form, files: call.files, ...(call.jsonToo && { jsonToo: true }) }),
    ...(call.mediaType && { mediaType: call.mediaType }),
    response: { ...listResponses(call), [call.status ?? 200]: call.response },
    summary: call.summary,
    ...(call.details && { description: call.details }),
    // Calls with a single path segment, such as /health, belong to the site as a whole.
    tags: [call.url.indexOf('/', 1) > 0 ? (call.url.split('/')[1] ?? '') : 'site'],
    ...(call.access !== 'public' && { security: call.access === 'optional' ? [{ session: [] }, {}] : [{ session: [] }] }),
  };
  return {
    method: call.method as C['method'],
    url: call.url as string,
    schema: schema as unknown as Schema<C>,
    ...(call.form && { config: { takesForms: call.jsonToo ? ('or_json' as const) : true } }),
    // Access is checked after the rate limit and before the body is read. The array is a copy, because plugins add hooks to it.
    preParsing: [...guards[call.access]],
    preValidation: [...(call.query ? [dropEmptyParameters] : []), ...(call.body ? [defaultToEmptyBody] : [])],
    preHandler: call.recent ? [requireRecent] : [],
  };
}

/** For tests: throws if a response differs from its schema, including an extra field. */
export const strictSerializerCompiler: typeof serializerCompiler = (route) => {
  const shown = serializerCompiler(route);
  return (answer) => {
    const json = JSON.stringify(answer);
    if (!isDeepStrictEqual(JSON.parse(shown(answer)), JSON.parse(json)))
      throw new Error(`${route.method} ${route.url} gave an answer that does not match its schema`);
    return json;
  };
};
