import { resendVerification, verifyEmail } from '@handwise/contract/account-links';
import { deviceHeader, getSession, register } from '@handwise/contract/accounts';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Context } from '../../kit/context.ts';
import { http } from '../../kit/http.ts';
import { networkOf } from '../../kit/network.ts';
import { viewerOf } from '../../kit/session-guard.ts';
import * as links from './accounts.links.ts';
import * as accounts from './accounts.service.ts';

type Options = { context: Context; onRegistered: accounts.OnRegistered };

export const accountRoutes: FastifyPluginAsyncZod<Options> = async (app, { context, onRegistered }) => {
  app.route({
    ...http(register),
    handler: async ({ body, headers, ip }, reply) => {
      const from = { network: networkOf(ip), device: headers[deviceHeader] };
      return reply.code(201).send(await accounts.register(context, body, from, onRegistered));
    },
  });

  app.route({
    ...http(getSession),
    handler: async (request) => ({ data: await accounts.getUser(context.db, viewerOf(request).id) }),
  });

  app.route({
    ...http(verifyEmail),
    handler: async ({ body }) => {
      await links.verifyEmail(context, body.token);
      return { message: 'Your address is confirmed' };
    },
  });

  app.route({
    ...http(resendVerification),
    handler: async (request) => {
      await links.resendConfirmation(context, viewerOf(request).id, { network: networkOf(request.ip) });
      return { message: 'We have sent you the link again' };
    },
  });
};
