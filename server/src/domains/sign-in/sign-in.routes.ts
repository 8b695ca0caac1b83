import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  confirmIdentityCall,
  endOtherSessionsCall,
  endSessionCall,
  forgotPasswordCall,
  listSessionsCall,
  loginCall,
  logoutCall,
  resetPasswordCall,
  restoreSessionCall,
} from '@handwise/contract/sign-in/calls';
import {
  addPasskeyCall,
  newPasskeyOptionsCall,
  passkeyConfirmOptionsCall,
  passkeySignInCall,
  passkeySignInOptionsCall,
  removePasskeyCall,
  renamePasskeyCall,
} from '@handwise/contract/sign-in/passkeys';
import {
  confirmAuthenticatorCall,
  finishSignInCall,
  getSecurityCall,
  removeAuthenticatorCall,
  renewRecoveryCodesCall,
  secondStepPasskeyOptionsCall,
  setUpAuthenticatorCall,
} from '@handwise/contract/sign-in/second-step';
import { getCaller } from '../../kit/caller.ts';
import { AppError } from '../../kit/errors.ts';
import { getRelyingParty } from '../../kit/hosts.ts';
import { http } from '../../kit/http.ts';
import { clearSessionCookies, readRestoreCookie, withSessionCookies } from '../../kit/identity/session-cookies.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import { getNetwork } from '../../kit/network.ts';
import type { AccountHooks } from '../accounts/accounts.service.ts';
import type { SignInContext } from './sign-in.context.ts';
import * as signIn from './sign-in.service.ts';

type Options = { context: SignInContext; marketHosts: Iterable<string>; hooks: Pick<AccountHooks, 'timeZoneOf'> };

export const signInRoutes: FastifyPluginAsyncZod<Options> = async (app, { context, marketHosts, hooks }) => {
  const sites = { appUrl: context.appUrl, hosts: marketHosts };
  const siteOf = (request: FastifyRequest) => getRelyingParty(request.headers.host, sites);
  const changedBy = (request: FastifyRequest) => ({ ...getCaller(request), timeZoneOf: hooks.timeZoneOf });

  app.route({
    ...http(loginCall),
    handler: async (request, reply) =>
      withSessionCookies(reply, await signIn.login(context, request.body, siteOf(request), getCaller(request))),
  });

  app.route({
    ...http(logoutCall),
    handler: async (request, reply) => {
      await signIn.logout(context, getViewer(request).token);
      clearSessionCookies(reply);
      return { message: 'You are logged out.' };
    },
  });

  app.route({
    ...http(restoreSessionCall),
    handler: async (request, reply) => {
      const token = readRestoreCookie(request.headers.cookie);
      const restored = token && (await signIn.restoreSession(context, token, getCaller(request).browser));
      if (restored) return withSessionCookies(reply, restored);
      clearSessionCookies(reply);
      throw new AppError('session_over');
    },
  });

  app.route({
    ...http(confirmIdentityCall),
    handler: async (request) => {
      await signIn.verifyIdentity(context, getViewer(request), request.body, siteOf(request), changedBy(request));
      return { message: 'Thank you' };
    },
  });

  app.route({
    ...http(listSessionsCall),
    handler: async (request) => ({ sessions: await signIn.listSessions(context, getViewer(request)) }),
  });

  app.route({
    ...http(endSessionCall),
    handler: async (request) => {
      await signIn.endSessionById(context, getViewer(request).id, request.params.id);
      return { message: 'That device has been signed out' };
    },
  });

  app.route({
    ...http(endOtherSessionsCall),
    handler: async (request) => {
      const { id, sessionId } = getViewer(request);
      await signIn.endOtherSessions(context, id, sessionId);
      return { message: 'All other devices have been signed out' };
    },
  });

  app.route({
    ...http(forgotPasswordCall),
    handler: async ({ body, ip }) => {
      await signIn.forgotPassword(context, body.email, getNetwork(ip));
      return { message: 'If there is an account with this address, a link is on its way.' };
    },
  });

  app.route({
    ...http(resetPasswordCall),
    handler: async (request, reply) => {
      const { token, password } = request.body;
      return withSessionCookies(reply, await signIn.resetPassword(context, token, password, siteOf(request), changedBy(request)));
    },
  });

  app.route({
    ...http(finishSignInCall),
    handler: async (request, reply) => {
      const session = await signIn.finishSignIn(context, request.body.token, request.body, siteOf(request), changedBy(request));
      return withSessionCookies(reply, session);
    },
  });

  app.route({
    ...http(getSecurityCall),
    handler: (request) => signIn.getSecurity(context.db, getViewer(request).id),
  });

  app.route({
    ...http(setUpAuthenticatorCall),
    handler: (request) => signIn.setUpAuthenticator(context, getViewer(request).id),
  });

  app.route({
    ...http(confirmAuthenticatorCall),
    handler: async (request) => ({
      recoveryCodes: await signIn.confirmAuthenticator(context, getViewer(request).id, request.body.code, changedBy(request)),
    }),
  });

  app.route({
    ...http(removeAuthenticatorCall),
    handler: async (request) => {
      await signIn.removeAuthenticator(context, getViewer(request).id, changedBy(request));
      return { message: 'Your authenticator app has been removed' };
    },
  });

  app.route({
    ...http(renewRecoveryCodesCall),
    handler: async (request) => ({
      recoveryCodes: await signIn.renewRecoveryCodes(context, getViewer(request).id, changedBy(request)),
    }),
  });

  app.route({
    ...http(secondStepPasskeyOptionsCall),
    handler: (request) => signIn.secondStepPasskeyOptions(context, request.body.token, siteOf(request)),
  });

  app.route({
    ...http(newPasskeyOptionsCall),
    handler: (request) => signIn.newPasskeyOptions(context, getViewer(request).id, siteOf(request)),
  });

  app.route({
    ...http(addPasskeyCall),
    handler: async (request, reply) => {
      const passkey = await signIn.addPasskey(context, getViewer(request).id, request.body.answer, siteOf(request), changedBy(request));
      return reply.code(201).send({ passkey });
    },
  });

  app.route({
    ...http(renamePasskeyCall),
    handler: async (request) => {
      await signIn.renamePasskey(context, getViewer(request).id, request.params.id, request.body.name);
      return { message: 'Your passkey has been renamed' };
    },
  });

  app.route({
    ...http(removePasskeyCall),
    handler: async (request) => {
      await signIn.removePasskey(context, getViewer(request).id, request.params.id, changedBy(request));
      return { message: 'Your passkey has been removed' };
    },
  });

  app.route({
    ...http(passkeySignInOptionsCall),
    handler: (request) => signIn.passkeySignInOptions(context, siteOf(request), getCaller(request).network),
  });

  app.route({
    ...http(passkeySignInCall),
    handler: async (request, reply) =>
      withSessionCookies(reply, await signIn.signInByPasskey(context, request.body.answer, siteOf(request), getCaller(request))),
  });

  app.route({
    ...http(passkeyConfirmOptionsCall),
    handler: (request) => signIn.createPasskeyOptions(context, 'passkey-confirm', getViewer(request).id, siteOf(request)),
  });
};
