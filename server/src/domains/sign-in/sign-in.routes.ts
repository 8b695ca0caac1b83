import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  confirmIdentity,
  endOtherSessions,
  endSession,
  forgotPassword,
  listSessions,
  login,
  logout,
  resetPassword,
  restoreSession,
} from '@handwise/contract/sign-in/calls';
import {
  addPasskey,
  newPasskeyOptions,
  passkeyConfirmOptions,
  passkeySignIn,
  passkeySignInOptions,
  removePasskey,
  renamePasskey,
} from '@handwise/contract/sign-in/passkeys';
import {
  confirmAuthenticator,
  finishSignIn,
  getSecurity,
  removeAuthenticator,
  renewRecoveryCodes,
  secondStepPasskeyOptions,
  setUpAuthenticator,
} from '@handwise/contract/sign-in/second-step';
import { getCaller } from '../../kit/caller.ts';
import { AppError } from '../../kit/errors.ts';
import { getRelyingParty } from '../../kit/hosts.ts';
import { http } from '../../kit/http.ts';
import { clearSessionCookies, readRestoreCookie, withSessionCookies } from '../../kit/identity/session-cookies.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import { getNetwork } from '../../kit/network.ts';
import type { TimeZoneOf } from '../accounts/accounts.service.ts';
import type { SignInContext } from './sign-in.authenticator.ts';
import * as signIn from './sign-in.service.ts';

type Options = { context: SignInContext; marketHosts: Iterable<string>; timeZoneOf: TimeZoneOf };

export const signInRoutes: FastifyPluginAsyncZod<Options> = async (app, { context, marketHosts, timeZoneOf }) => {
  const sites = { appUrl: context.appUrl, hosts: marketHosts };
  const siteOf = (request: FastifyRequest) => getRelyingParty(request.headers.host, sites);
  const changedBy = (request: FastifyRequest) => ({ ...getCaller(request), timeZoneOf });

  app.route({
    ...http(login),
    handler: async (request, reply) =>
      withSessionCookies(reply, await signIn.login(context, request.body, siteOf(request), getCaller(request))),
  });

  app.route({
    ...http(logout),
    handler: async (request, reply) => {
      await signIn.logout(context, getViewer(request).token);
      clearSessionCookies(reply);
      return { message: 'You are logged out.' };
    },
  });

  app.route({
    ...http(restoreSession),
    handler: async (request, reply) => {
      const token = readRestoreCookie(request.headers.cookie);
      const restored = token && (await signIn.restoreSession(context, token, getCaller(request).browser));
      if (restored) return withSessionCookies(reply, restored);
      clearSessionCookies(reply);
      throw new AppError('session_over');
    },
  });

  app.route({
    ...http(confirmIdentity),
    handler: async (request) => {
      await signIn.verifyIdentity(context, getViewer(request), request.body, siteOf(request), changedBy(request));
      return { message: 'Thank you' };
    },
  });

  app.route({
    ...http(listSessions),
    handler: async (request) => ({ sessions: await signIn.listSessions(context, getViewer(request)) }),
  });

  app.route({
    ...http(endSession),
    handler: async (request) => {
      await signIn.endSessionById(context, getViewer(request).id, request.params.id);
      return { message: 'That device has been signed out' };
    },
  });

  app.route({
    ...http(endOtherSessions),
    handler: async (request) => {
      const { id, sessionId } = getViewer(request);
      await signIn.endOtherSessions(context, id, sessionId);
      return { message: 'All other devices have been signed out' };
    },
  });

  app.route({
    ...http(forgotPassword),
    handler: async ({ body, ip }) => {
      await signIn.forgotPassword(context, body.email, getNetwork(ip));
      return { message: 'If there is an account with this address, a link is on its way.' };
    },
  });

  app.route({
    ...http(resetPassword),
    handler: async (request, reply) => {
      const { token, password } = request.body;
      return withSessionCookies(reply, await signIn.resetPassword(context, token, password, siteOf(request), changedBy(request)));
    },
  });

  app.route({
    ...http(finishSignIn),
    handler: async (request, reply) => {
      const session = await signIn.finishSignIn(context, request.body.token, request.body, siteOf(request), changedBy(request));
      return withSessionCookies(reply, session);
    },
  });

  app.route({
    ...http(getSecurity),
    handler: (request) => signIn.getSecurity(context.db, getViewer(request).id),
  });

  app.route({
    ...http(setUpAuthenticator),
    handler: (request) => signIn.setUpAuthenticator(context, getViewer(request).id),
  });

  app.route({
    ...http(confirmAuthenticator),
    handler: async (request) => ({
      recoveryCodes: await signIn.confirmAuthenticator(context, getViewer(request).id, request.body.code, changedBy(request)),
    }),
  });

  app.route({
    ...http(removeAuthenticator),
    handler: async (request) => {
      await signIn.removeAuthenticator(context, getViewer(request).id, changedBy(request));
      return { message: 'Your authenticator app has been removed' };
    },
  });

  app.route({
    ...http(renewRecoveryCodes),
    handler: async (request) => ({
      recoveryCodes: await signIn.renewRecoveryCodes(context, getViewer(request).id, changedBy(request)),
    }),
  });

  app.route({
    ...http(secondStepPasskeyOptions),
    handler: (request) => signIn.secondStepPasskeyOptions(context, request.body.token, siteOf(request)),
  });

  app.route({
    ...http(newPasskeyOptions),
    handler: (request) => signIn.newPasskeyOptions(context, getViewer(request).id, siteOf(request)),
  });

  app.route({
    ...http(addPasskey),
    handler: async (request, reply) => {
      const passkey = await signIn.addPasskey(context, getViewer(request).id, request.body.answer, siteOf(request), changedBy(request));
      return reply.code(201).send({ passkey });
    },
  });

  app.route({
    ...http(renamePasskey),
    handler: async (request) => {
      await signIn.renamePasskey(context, getViewer(request).id, request.params.id, request.body.name);
      return { message: 'Your passkey has been renamed' };
    },
  });

  app.route({
    ...http(removePasskey),
    handler: async (request) => {
      await signIn.removePasskey(context, getViewer(request).id, request.params.id, changedBy(request));
      return { message: 'Your passkey has been removed' };
    },
  });

  app.route({
    ...http(passkeySignInOptions),
    handler: (request) => signIn.passkeySignInOptions(context, siteOf(request), getCaller(request).network),
  });

  app.route({
    ...http(passkeySignIn),
    handler: async (request, reply) =>
      withSessionCookies(reply, await signIn.signInByPasskey(context, request.body.answer, siteOf(request), getCaller(request))),
  });

  app.route({
    ...http(passkeyConfirmOptions),
    handler: (request) => signIn.createPasskeyOptions(context, 'passkey-confirm', getViewer(request).id, siteOf(request)),
  });
};
