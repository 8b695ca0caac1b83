import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { siteName } from '@handwise/contract/site';
import type { FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';

const plugin: FastifyPluginAsync<{ appUrl: string }> = async (app, { appUrl }) => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${siteName} API`,
        version: '1',
        description:
          'Every answer is JSON. Errors have one shape: `message` for people, `code` for programs, and `errors` with the fields at fault. Amounts of money are whole cents unless a field says otherwise. A session is the `token` of login or register, sent as `Authorization: Bearer …`.',
      },
      servers: [{ url: appUrl }],
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
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
