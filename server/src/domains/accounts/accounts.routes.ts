import { getSession, login, logout, register } from '@handwise/contract/accounts';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Db } from '../../kit/database.ts';
import { http } from '../../kit/http.ts';
import { viewerOf } from '../../kit/session-guard.ts';
import * as accounts from './accounts.service.ts';

export const accountRoutes: FastifyPluginAsyncZod<{ db: Db }> = async (app, { db }) => {
  app.route({
    ...http(login),
    handler: async ({ body, ip }) => {
      const user = await accounts.checkCredentials(db, body, ip);
      return { data: await db.transaction().execute((tx) => accounts.login(tx, user)) };
    },
  });

  app.route({
    ...http(register),
    handler: async ({ body, ip }, reply) => {
      const passwordHash = await accounts.prepareRegistration(db, body, ip);
      const data = await db.transaction().execute((tx) => accounts.register(tx, body, passwordHash));
      return reply.code(201).send({ data });
    },
  });

  app.route({
    ...http(logout),
    handler: async (request) => {
      const { token } = viewerOf(request);
      await db.transaction().execute((tx) => accounts.logout(tx, token));
      return { message: 'You are logged out.' };
    },
  });

  app.route({
    ...http(getSession),
    handler: async (request) => ({ data: await accounts.getUser(db, viewerOf(request).id) }),
  });
};
