import { deviceHeader } from '@handwise/contract/accounts';
import { forgotPassword, login, logout, resetPassword } from '@handwise/contract/sign-in';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Context } from '../../kit/context.ts';
import { http } from '../../kit/http.ts';
import { networkOf } from '../../kit/network.ts';
import { viewerOf } from '../../kit/session-guard.ts';
import * as signIn from './sign-in.service.ts';

export const signInRoutes: FastifyPluginAsyncZod<{ context: Context }> = async (app, { context }) => {
  app.route({
    ...http(login),
    handler: ({ body, headers, ip }) => signIn.login(context, body, { network: networkOf(ip), device: headers[deviceHeader] }),
  });

  app.route({
    ...http(logout),
    handler: async (request) => {
      await signIn.logout(context, viewerOf(request).token);
      return { message: 'You are logged out.' };
    },
  });

  app.route({
    ...http(forgotPassword),
    handler: async ({ body, ip }) => {
      await signIn.forgotPassword(context, body.email, networkOf(ip));
      return { message: 'If there is an account with this address, a link is on its way to it.' };
    },
  });

  app.route({
    ...http(resetPassword),
    handler: ({ body, headers, ip }) =>
      signIn.resetPassword(context, body.token, body.password, { network: networkOf(ip), device: headers[deviceHeader] }),
  });
};
