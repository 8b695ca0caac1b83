import { getSession, login, logout, register } from '@handwise/contract/accounts';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Context } from '../../kit/context.ts';
import { http } from '../../kit/http.ts';
import { viewerOf } from '../../kit/session-guard.ts';
import * as accounts from './accounts.service.ts';

type Options = { context: Context; onRegistered: accounts.OnRegistered };

export const accountRoutes: FastifyPluginAsyncZod<Options> = async (app, { context, onRegistered }) => {
  app.route({
    ...http(login),
    handler: async ({ body, ip }) => ({ data: await accounts.login(context, body, ip) }),
  });

  app.route({
    ...http(register),
    handler: async ({ body, ip }, reply) => reply.code(201).send({ data: await accounts.register(context, body, ip, onRegistered) }),
  });

  app.route({
    ...http(logout),
    handler: async (request) => {
      await accounts.logout(context, viewerOf(request).token);
      return { message: 'You are logged out.' };
    },
  });

  app.route({
    ...http(getSession),
    handler: async (request) => ({ data: await accounts.getUser(context.db, viewerOf(request).id) }),
  });
};
