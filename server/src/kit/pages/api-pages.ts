import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FileField } from '@handwise/contract/call';
import { siteName } from '@handwise/contract/site-name';
import type { FastifyPluginAsync, FastifySchema } from 'fastify';
import fp from 'fastify-plugin';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';

// A form is read as a stream by its handler, so the route has no body for the framework to check. Here it is shown as one.
function withForm(schema: FastifySchema): FastifySchema {
  if (!('form' in schema && schema.form instanceof z.ZodObject && 'files' in schema)) return schema;
  const { form, files, ...given } = schema;
  const file = z.any().meta({ type: 'string', format: 'binary' });
  const fields = Object.entries(files as Record<string, FileField>).map(([name, { maxFiles, maxBytes }]) => {
    const described = { description: `At most ${maxFiles}, of ${maxBytes} bytes each` };
    return [name, maxFiles > 1 ? z.array(file).meta(described) : file.meta({ ...described, type: 'string', format: 'binary' })] as const;
  });
  const { jsonToo, ...rest } = given as typeof given & { jsonToo?: true };
  const consumes = ['multipart/form-data', ...(jsonToo ? ['application/json'] : [])];
  return { ...rest, consumes, body: form.extend(Object.fromEntries(fields)) };
}

// What is sent on success where that is no JSON.
function withMediaType(schema: FastifySchema, described: FastifySchema): FastifySchema {
  if (!('mediaType' in described && typeof described.mediaType === 'string')) return schema;
  const file = { description: 'A file', content: { [described.mediaType]: { schema: { type: 'string', format: 'binary' } } } };
  return { ...schema, response: { ...(schema.response as object), 200: file } };
}

const plugin: FastifyPluginAsync<{ appUrl: string }> = async (app, { appUrl }) => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${siteName} API`,
        version: '1',
        description:
          'Every answer is JSON unless its call says otherwise. All errors have the same shape: `message` for people, `code` for programs, and `errors` with the fields at fault. Amounts of money are whole cents unless a field says otherwise. To use a session, send the `token` you got from signing in or signing up as `Authorization: Bearer …`.',
      },
      servers: [{ url: appUrl }],
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    },
    transform(route) {
      const { schema, url } = jsonSchemaTransform({ ...route, schema: withForm(route.schema) });
      return { schema: withMediaType(schema, route.schema), url };
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: false,
    uiConfig: { docExpansion: 'list', deepLinking: true },
    // The bar at the top is another product's.
    theme: { title: `${siteName} API`, css: [{ filename: 'theme.css', content: '.swagger-ui .topbar { display: none }' }] },
  });
};

/** The API described from its own schemas: `/api/openapi.json`, and `/api/docs` for people. Register it before the routes. */
export const apiPages = fp(plugin);
