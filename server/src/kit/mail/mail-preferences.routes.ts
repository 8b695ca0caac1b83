import type { FastifyInstance } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { endMailsCall, listMailsCall, resumeMailsCall, setMailsCall } from '@handwise/contract/mail-preferences';
import { paths } from '@handwise/contract/paths';
import type { Context } from '../context.ts';
import { http } from '../http.ts';
import { getViewer } from '../identity/session-guard.ts';
import * as mails from './mail-preferences.ts';

/** Accepts the form that mail programs post for one-click unsubscription (RFC 8058). Its content is ignored. */
export const acceptOneClick = (app: FastifyInstance) =>
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _body, done) => done(null, {}));

export const mailPreferenceRoutes: FastifyPluginAsyncZod<{ context: Context }> = async (app, { context }) => {
  const { db, appUrl } = context;
  acceptOneClick(app);

  app.route({
    ...http(listMailsCall),
    handler: async (request) => ({ mails: await mails.listMailPreferences(db, getViewer(request).id) }),
  });

  app.route({
    ...http(setMailsCall),
    handler: async (request) => {
      const { id } = getViewer(request);
      await mails.setSubscription(db, id, request.body.kind, request.body.on);
      return { mails: await mails.listMailPreferences(db, id) };
    },
  });

  for (const [call, on] of [
    [endMailsCall, false],
    [resumeMailsCall, true],
  ] as const) {
    app.route({
      ...http(call),
      handler: async (request) => {
        const { userId, kind } = await mails.verifyUnsubscribeToken(db, request.query.token);
        await mails.setSubscription(db, userId, kind, on);
        return mails.describePreference(kind, on);
      },
    });
  }

  // A visit does not unsubscribe, because programs open links by themselves.
  app.get('/mails/end', { schema: { hide: true } }, (request, reply) =>
    reply.redirect(`${appUrl}${paths.endMails}${new URL(request.url, appUrl).search}`, 303),
  );
};
