import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { changeAddress, cancelAddressChange } from '@handwise/contract/accounts/address';
import { getSession, register } from '@handwise/contract/accounts/calls';
import { deleteAccount as deleteCall, exportData as exportCall } from '@handwise/contract/accounts/data';
import { resendVerification, verifyEmail } from '@handwise/contract/accounts/links';
import { checkPassword, getProfile, removeAvatar, setAvatar, updateProfile } from '@handwise/contract/accounts/profile';
import { getCaller } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import { readCallForm } from '../../kit/files/multipart.ts';
import { http } from '../../kit/http.ts';
import { clearSessionCookies, withSessionCookies } from '../../kit/identity/session-cookies.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import { getNetwork } from '../../kit/network.ts';
import { deleteAccount, type OnAccountDeleted } from './accounts.account-deletion.ts';
import * as addresses from './accounts.addresses.ts';
import * as links from './accounts.links.ts';
import { type AllOwnData, exportData } from './accounts.own-data.ts';
import { isOwnPassword } from './accounts.passwords.ts';
import * as profile from './accounts.profile.ts';
import * as accounts from './accounts.service.ts';

type Options = {
  context: Context;
  onRegistered: accounts.OnRegistered;
  allOwnData: AllOwnData;
  onAccountDeleted: OnAccountDeleted;
  timeZoneOf: accounts.TimeZoneOf;
  onPasswordChanged: accounts.OnPasswordChanged;
};

export const accountRoutes: FastifyPluginAsyncZod<Options> = async (app, options) => {
  const { context, onRegistered, allOwnData, onAccountDeleted, timeZoneOf, onPasswordChanged } = options;

  app.route({
    ...http(register),
    handler: async (request, reply) =>
      reply.code(201).send(withSessionCookies(reply, await accounts.register(context, request.body, getCaller(request), onRegistered))),
  });

  app.route({
    ...http(getSession),
    handler: async (request) => ({ data: await accounts.getSessionUser(context.db, getViewer(request).id) }),
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
      await links.resendConfirmation(context, getViewer(request).id, getNetwork(request.ip), request.query.conversation);
      return { message: 'We have sent you the link again' };
    },
  });

  app.route({
    ...http(getProfile),
    handler: async (request) => ({ data: await profile.getProfile(context.db, getViewer(request).id, context.clock.now()) }),
  });

  app.route({
    ...http(updateProfile),
    handler: async (request, reply) => {
      const from = { ...getCaller(request), timeZoneOf };
      return withSessionCookies(reply, await profile.updateProfile(context, getViewer(request), request.body, from, onPasswordChanged));
    },
  });

  app.route({
    ...http(changeAddress),
    handler: async (request) => ({ data: await addresses.changeAddress(context, getViewer(request).id, request.body, getCaller(request)) }),
  });

  app.route({
    ...http(cancelAddressChange),
    handler: async (request) => ({ data: await addresses.cancelAddressChange(context, getViewer(request).id) }),
  });

  app.route({
    ...http(checkPassword),
    handler: async (request) => {
      const { currentPassword } = request.body;
      return { isValid: await isOwnPassword(context, getViewer(request).id, currentPassword, getCaller(request)) };
    },
  });

  app.route({
    ...http(setAvatar),
    handler: async (request) => {
      const { id } = getViewer(request);
      return { data: await readCallForm(request, setAvatar, (_, [picture]) => profile.setAvatar(context, id, picture)) };
    },
  });

  app.route({
    ...http(removeAvatar),
    handler: async (request) => ({ data: await profile.removeAvatar(context, getViewer(request).id) }),
  });

  app.route({
    ...http(exportCall),
    handler: async (request, reply) =>
      reply
        .type('application/zip')
        .header('content-disposition', 'attachment; filename="my-data.zip"')
        .send(await exportData(context, getViewer(request).id, allOwnData)),
  });

  app.route({
    ...http(deleteCall),
    handler: async (request, reply) => {
      await deleteAccount(context, getViewer(request).id, request.body.currentPassword, getCaller(request), onAccountDeleted);
      clearSessionCookies(reply);
      return { message: 'Your account has been deleted' };
    },
  });
};
