import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import fp from 'fastify-plugin';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { stringify } from 'yaml';
import { z } from 'zod';
import type { FileField } from '@handwise/contract/call';
import { errorBody } from '@handwise/contract/errors';
import { EncodedResponse } from '../cache/response-cache.ts';
import { sendEncoded } from '../cache/send-response.ts';
import { AppError } from '../errors.ts';

// Handlers read forms as streams, so their routes have no body schema. This adds one to the description.
function withForm(schema: FastifySchema): FastifySchema {
  if (!('form' in schema && schema.form instanceof z.ZodObject && 'files' in schema)) return schema;
  const { form, files, ...base } = schema;
  const file = z.any().meta({ type: 'string', format: 'binary' });
  const fields = Object.entries(files as Record<string, FileField>).map(([name, { maxFiles, maxBytes, required }]) => {
    const described = { description: `At most ${maxFiles}, of ${maxBytes} bytes each` };
    const field = maxFiles > 1 ? z.array(file).meta(described) : file.meta({ ...described, type: 'string', format: 'binary' });
    return [name, required ? field : field.optional()] as const;
  });
  const { jsonToo, ...rest } = base as typeof base & { jsonToo?: true };
  const consumes = ['multipart/form-data', ...(jsonToo ? ['application/json'] : [])];
  return { ...rest, consumes, body: form.extend(Object.fromEntries(fields)) };
}

// The media type of successful responses other than JSON.
function withMediaType(schema: FastifySchema, described: FastifySchema): FastifySchema {
  if (!('mediaType' in described && typeof described.mediaType === 'string')) return schema;
  const file = { description: 'A file', content: { [described.mediaType]: { schema: { type: 'string', format: 'binary' } } } };
  return { ...schema, response: { ...(schema.response as object), 200: file } };
}

// All errors refer to one schema. Inlined, they would be nine tenths of the description.
function withSharedErrors(schema: FastifySchema): FastifySchema {
  const response = Object.entries((schema.response ?? {}) as Record<string, z.ZodType>).map(([status, answer]) => {
    if (Number(status) < 400) return [status, answer];
    return [status, { description: answer.description, content: { 'application/json': { schema: errorBody } } }];
  });
  return { ...schema, response: Object.fromEntries(response) as object };
}

const perNetwork = { max: 60, timeWindow: 60_000 };

const plugin: FastifyPluginAsync<{ appUrl: string }> = async (app, { appUrl }) => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Marketplace API',
        version: '1',
        description:
          'Every answer is JSON unless its call says otherwise. All errors have the same shape: `message` for people, `code` for programs, and `errors` with the fields at fault. Amounts of money are whole cents unless a field says otherwise. To use a session, send the `token` you got from signing in or signing up as `Authorization: Bearer …`.',
      },
      servers: [{ url: appUrl }],
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    },
    transform(route) {
      const { schema, url } = jsonSchemaTransform({ ...route, schema: withSharedErrors(withForm(route.schema)) });
      return { schema: withMediaType(schema, route.schema), url };
    },
    transformObject(document) {
      const whole = jsonSchemaTransformObject(document) as { components: { schemas: Record<string, object> } };
      // Only answers share schemas, so none is needed as input.
      const schemas = Object.entries(whole.components.schemas).filter(([name]) => !name.endsWith('Input'));
      return { ...whole, components: { ...whole.components, schemas: Object.fromEntries(schemas) } };
    },
  });

  const answers = new Map<'json' | 'yaml', Promise<EncodedResponse>>();
  const limit = app.createRateLimit(perNetwork);
  /** Each format is built and compressed once, because that takes megabytes and a fraction of a second. */
  const sendDescription = async (request: FastifyRequest, reply: FastifyReply, format: 'json' | 'yaml') => {
    const limited = await limit(request);
    if (!limited.isAllowed && limited.isExceeded) throw new AppError('too_many_requests', { retryAfterSeconds: limited.ttlInSeconds });
    const answer = answers.get(format) ?? buildDescription(app, format);
    answers.set(format, answer);
    return sendEncoded(request, reply, await answer);
  };
  app.addHook('onRequest', async (request, reply) => {
    const file = request.url.startsWith(assetPrefix) ? request.url.slice(assetPrefix.length) : '';
    return isAsset(file) ? sendAsset(request, reply, file) : undefined;
  });
  const sendInHook = async (request: FastifyRequest, reply: FastifyReply, format: 'json' | 'yaml', done: (error: Error) => void) => {
    try {
      await sendDescription(request, reply, format);
    } catch (error) {
      done(error as Error);
    }
  };
  app.get('/openapi.json', { schema: { hide: true } }, (request, reply) => sendDescription(request, reply, 'json'));
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: false,
    uiHooks: {
      preHandler(request, reply, done) {
        const [, format] = /\/docs\/(json|yaml)$/.exec(request.routeOptions.url ?? '') ?? [];
        if (format === 'json' || format === 'yaml') void sendInHook(request, reply, format, done);
        else done();
      },
    },
    uiConfig: { docExpansion: 'list', deepLinking: true },
    // Hides Swagger's own bar.
    theme: { title: 'Marketplace API', css: [{ filename: 'theme.css', content: '.swagger-ui .topbar { display: none }' }] },
  });
};

// The large files of Swagger UI. Without this, they would be compressed for each request.
const assets = {
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui-standalone-preset.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
} as const;
const assetPrefix = '/api/docs/static/';
const isAsset = (file: string): file is keyof typeof assets => Object.hasOwn(assets, file);
const assetFolder = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static');
const loadedAssets = new Map<string, Promise<EncodedResponse>>();

async function sendAsset(request: FastifyRequest, reply: FastifyReply, file: keyof typeof assets) {
  const headers = { 'content-type': assets[file], 'cache-control': 'public, max-age=3600', vary: 'accept-encoding' };
  const asset = loadedAssets.get(file) ?? readFile(join(assetFolder, file)).then((body) => new EncodedResponse(body, headers));
  loadedAssets.set(file, asset);
  return sendEncoded(request, reply, await asset);
}

/** As YAML, path by path: in one piece it would hold up all other requests for a second. */
async function toYaml({ paths, ...rest }: { paths: object }): Promise<string> {
  const pieces = [stringify(rest), 'paths:\n'];
  for (const [path, calls] of Object.entries(paths)) {
    pieces.push(stringify({ [path]: calls }).replace(/^(?=.)/gm, '  '));
    await setImmediate();
  }
  return pieces.join('');
}

async function buildDescription(app: FastifyInstance, format: 'json' | 'yaml'): Promise<EncodedResponse> {
  const description = app.swagger() as { paths: object };
  const text = format === 'yaml' ? await toYaml(description) : JSON.stringify(description);
  return new EncodedResponse(Buffer.from(text), {
    'content-type': format === 'yaml' ? 'application/x-yaml; charset=utf-8' : 'application/json; charset=utf-8',
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
  });
}

/** The OpenAPI description: `/api/openapi.json`, and `/api/docs` for people. Register it before the routes. */
export const apiPages = fp(plugin);
