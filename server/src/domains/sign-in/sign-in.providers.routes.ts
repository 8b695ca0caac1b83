import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { registerForm } from '@handwise/contract/accounts/calls';
import { provider } from '@handwise/contract/accounts/identities';
import { type ProviderName, providerNames } from '@handwise/contract/accounts/provider-names';
import { paths } from '@handwise/contract/paths';
import {
  connectByLinkCall,
  disconnectProviderCall,
  finishProviderSignInCall,
  nameProviderAccountCall,
  startConfirmingCall,
  startConnectingCall,
} from '@handwise/contract/sign-in/providers';
import { type Caller, getCaller } from '../../kit/caller.ts';
import { AppError } from '../../kit/errors.ts';
import { getRelyingParty } from '../../kit/hosts.ts';
import { http } from '../../kit/http.ts';
import { withSessionCookies } from '../../kit/identity/session-cookies.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import { createToken } from '../../kit/secrets/tokens.ts';
import type { AccountHooks } from '../accounts/accounts.service.ts';
import type { SignInContext } from './sign-in.context.ts';
import * as signIn from './sign-in.service.ts';

type Options = { context: SignInContext; marketHosts: Iterable<string>; hooks: Pick<AccountHooks, 'onRegistered' | 'timeZoneOf'> };

// Binds what a browser begins at a provider to this browser. Read by our own page's calls only, never by a request from a provider, so that it need not be sent
// across sites, which browsers treat differently.
const cookieName = 'provider-authorization';
const cookieSeconds = 10 * 60;
const readBrowser = ({ headers }: FastifyRequest) => /(?:^|;\s*)provider-authorization=([\w-]{43})(?:;|$)/.exec(headers.cookie ?? '')?.[1];

const isProvider = (name: unknown): name is ProviderName => provider.safeParse(name).success;
const longestText = 2000;
const toText = (value: unknown) => (typeof value === 'string' && value.length <= longestText ? value : undefined);

// One that cannot be read counts as none.
const readCode = (given: unknown) => registerForm.shape.referralCode.catch(null).parse(given) ?? null;

/** The name in what Apple posts beside its first answer. */
function readName(user: string | undefined): string | undefined {
  try {
    const { name } = JSON.parse(user ?? '') as { name?: { firstName?: unknown; lastName?: unknown } };
    return (
      [name?.firstName, name?.lastName]
        .map((part) => toText(part)?.trim() ?? '')
        .join(' ')
        .trim() || undefined
    );
  } catch {
    return undefined;
  }
}

// The providers' codes for a person who went back.
const cancellations = new Set(['access_denied', 'user_cancelled_authorize', 'user_cancelled_login']);

/** Everything that our page needs, in the fragment, which browsers send to no server. */
function returnTo(reply: FastifyReply, values: Record<string, string | undefined>) {
  const fragment = new URLSearchParams(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined));
  return reply.header('referrer-policy', 'no-referrer').redirect(`${paths.providerReturn}#${fragment.toString()}`, 303);
}

export const providerRoutes: FastifyPluginAsyncZod<Options> = async (app, { context, marketHosts, hooks }) => {
  const { onRegistered, timeZoneOf } = hooks;
  const sites = { appUrl: context.appUrl, hosts: marketHosts };
  const siteOf = (request: FastifyRequest) => getRelyingParty(request.headers.host, sites);
  const changedBy = (request: FastifyRequest): Caller & { timeZoneOf: AccountHooks['timeZoneOf'] } => ({
    ...getCaller(request),
    timeZoneOf,
  });
  const hidden = { hide: true };

  /** The visitor, whose browser gets the cookie with the answer. */
  function visitorOf(request: FastifyRequest, reply: FastifyReply, name: ProviderName, redirect: string | undefined): signIn.Visitor {
    const browser = readBrowser(request) ?? createToken();
    const secure = context.appUrl.startsWith('https:') ? '; Secure' : '';
    void reply.header('set-cookie', `${cookieName}=${browser}; Path=/api/auth; Max-Age=${cookieSeconds}; HttpOnly; SameSite=Lax${secure}`);
    return { provider: name, redirect, browser, site: siteOf(request), network: getCaller(request).network };
  }

  // A link, so that it works without a script and before the page's script has loaded. Its errors are shown by our page.
  app.get<{ Params: { provider: string } }>('/auth/with/:provider', { schema: hidden, exposeHeadRoute: false }, async (request, reply) => {
    const { provider: name } = request.params;
    const query = request.query as Record<string, unknown>;
    const redirect = toText(query['redirect']);
    const referralCode = readCode(query['referralCode']);
    if (!isProvider(name)) throw new AppError('provider_not_found');
    try {
      const visitor = { ...visitorOf(request, reply, name, redirect), referralCode };
      return await reply.redirect(await signIn.startProviderSignIn(context, visitor), 303);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return returnTo(reply, { provider: name, error: error.code, redirect });
    }
  });

  // Apple posts its answer from its own site, so no cookie of ours is with it.
  await app.register(async (answers) => {
    answers.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    for (const name of Object.keys(providerNames) as ProviderName[]) {
      const url = `/auth/with/${name}/callback`;
      const answer = async (request: FastifyRequest, reply: FastifyReply) => {
        const given = (request.method === 'POST' ? request.body : request.query) as Record<string, unknown> | undefined;
        const [state, code, iss, error, user] = ['state', 'code', 'iss', 'error', 'user'].map((field) => toText(given?.[field]));
        const redirect = state === undefined ? undefined : await signIn.findReturnPath(context, state);
        if (error !== undefined || code === undefined || state === undefined) {
          const isCancelled = error !== undefined && cancellations.has(error);
          if (!isCancelled) request.log.warn({ provider: name, error }, 'an identity provider sent a browser back without a code');
          return returnTo(reply, { provider: name, error: isCancelled ? 'cancelled' : 'provider_refused', redirect });
        }
        return returnTo(reply, { provider: name, state, code, iss, redirect, name: readName(user) });
      };
      answers.get(url, { schema: hidden, exposeHeadRoute: false }, answer);
      answers.post(url, { schema: hidden, config: { takesCrossOrigin: true } }, answer);
    }
  });

  app.route({
    ...http(finishProviderSignInCall),
    handler: async (request, reply) => {
      const arrival = {
        browser: readBrowser(request),
        site: siteOf(request),
        viewer: request.viewer,
        from: changedBy(request),
        onRegistered,
      };
      return withSessionCookies(reply, await signIn.finishAtProvider(context, request.body, arrival));
    },
  });

  app.route({
    ...http(nameProviderAccountCall),
    handler: async (request, reply) => {
      const session = await signIn.nameProviderAccount(context, request.body, { from: changedBy(request), onRegistered });
      return reply.code(201).send(withSessionCookies(reply, session));
    },
  });

  app.route({
    ...http(connectByLinkCall),
    handler: async (request) => ({ provider: await signIn.connectByLink(context, request.body.token, changedBy(request)) }),
  });

  app.route({
    ...http(startConnectingCall),
    handler: async (request, reply) => {
      const visitor = visitorOf(request, reply, request.body.provider, request.body.redirect);
      return { url: await signIn.startConnecting(context, visitor, getViewer(request)) };
    },
  });

  app.route({
    ...http(startConfirmingCall),
    handler: async (request, reply) => {
      const { provider: name, redirect, ...code } = request.body;
      const visitor = visitorOf(request, reply, name, redirect);
      return { url: await signIn.startConfirming(context, visitor, getViewer(request), code, changedBy(request)) };
    },
  });

  app.route({
    ...http(disconnectProviderCall),
    handler: async (request) => {
      const { provider: name } = request.params;
      await signIn.disconnectProvider(context, getViewer(request).id, name, changedBy(request));
      return { message: `${providerNames[name]} has been disconnected` };
    },
  });
};
