import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { changeAddressCall, cancelAddressChangeCall } from '@handwise/contract/accounts/address';
import { getSessionCall, registerCall } from '@handwise/contract/accounts/calls';
import { deleteAccountCall, exportDataCall } from '@handwise/contract/accounts/data';
import { resendVerificationCall, verifyEmailCall } from '@handwise/contract/accounts/links';
import { checkPasswordCall, getProfileCall, removeAvatarCall, setAvatarCall, updateProfileCall } from '@handwise/contract/accounts/profile';
import { getCaller } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import { readCallForm } from '../../kit/files/multipart.ts';
import { http } from '../../kit/http.ts';
import { clearSessionCookies, withSessionCookies } from '../../kit/identity/session-cookies.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import { getNetwork } from '../../kit/network.ts';
import { deleteAccount } from './accounts.account-deletion.ts';
import * as addresses from './accounts.addresses.ts';
import type { AccountHooks } from './accounts.context.ts';
import * as links from './accounts.links.ts';
import { exportData } from './accounts.own-data.ts';
import { isOwnPassword } from './accounts.passwords.ts';
import * as profile from './accounts.profile.ts';
import * as accounts from './accounts.service.ts';

type Options = { context: Context; hooks: AccountHooks };

export const accountRoutes: FastifyPluginAsyncZod<Options> = async (app, { context, hooks }) => {
  const { onRegistered, onPasswordChanged, onAccountDeleted, timeZoneOf, listOwnData } = hooks;

  app.route({
    ...http(registerCall),
    handler: async (request, reply) =>
      reply.code(201).send(withSessionCookies(reply, await accounts.register(context, request.body, getCaller(request), onRegistered))),
  });

  app.route({
    ...http(getSessionCall),
    handler: async (request) => ({ data: await accounts.getSessionUser(context.db, getViewer(request).id) }),
  });

  app.route({
    ...http(verifyEmailCall),
    handler: async ({ body }) => {
      await links.verifyEmail(context, body.token);
      return { message: 'Your address is confirmed' };
    },
  });

  app.route({
    ...http(resendVerificationCall),
    handler: async (request) => {
      await links.resendConfirmation(context, getViewer(request).id, getNetwork(request.ip), request.query.conversation);
      return { message: 'We have sent you the link again' };
    },
  });

  app.route({
    ...http(getProfileCall),
    handler: async (request) => ({ data: await profile.getProfile(context.db, getViewer(request).id, context.clock.now()) }),
  });

  app.route({
    ...http(updateProfileCall),
    handler: async (request, reply) => {
      const from = { ...getCaller(request), timeZoneOf };
      return withSessionCookies(reply, await profile.updateProfile(context, getViewer(request), request.body, from, onPasswordChanged));
    },
  });

  app.route({
    ...http(changeAddressCall),
    handler: async (request) => ({ data: await addresses.changeAddress(context, getViewer(request).id, request.body, getCaller(request)) }),
  });

  app.route({
    ...http(cancelAddressChangeCall),
    handler: async (request) => ({ data: await addresses.cancelAddressChange(context, getViewer(request).id) }),
  });

  app.route({
    ...http(checkPasswordCall),
    handler: async (request) => {
      const { currentPassword } = request.body;
      return { isValid: await isOwnPassword(context, getViewer(request).id, currentPassword, getCaller(request)) };
    },
  });

  app.route({
    ...http(setAvatarCall),
    handler: async (request) => {
      const { id } = getViewer(request);
      return { data: await readCallForm(request, setAvatarCall, (_, [picture]) => profile.setAvatar(context, id, picture)) };
    },
  });

  app.route({
    ...http(removeAvatarCall),
    handler: async (request) => ({ data: await profile.removeAvatar(context, getViewer(request).id) }),
  });

  app.route({
    ...http(exportDataCall),
    handler: async (request, reply) =>
      reply
        .type('application/zip')
        .header('content-disposition', 'attachment; filename="my-data.zip"')
        .send(await exportData(context, getViewer(request).id, listOwnData)),
  });

  app.route({
    ...http(deleteAccountCall),
    handler: async (request, reply) => {
      await deleteAccount(context, getViewer(request).id, request.body.currentPassword, getCaller(request), onAccountDeleted);
      clearSessionCookies(reply);
      return { message: 'Your account has been deleted' };
    },
  });
};
