import { endMails, listMails, resumeMails, setMails } from '@handwise/contract/mail-preferences';
import { paths } from '@handwise/contract/paths';
import type { FastifyInstance } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Context } from '../context.ts';
import { http } from '../http.ts';
import * as mails from './mail-preferences.ts';
import { viewerOf } from '../identity/session-guard.ts';

/** Mail programs post a form that says that it was one click. There is nothing in it to read. */
export const takeOneClick = (app: FastifyInstance) =>
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _body, done) => done(null, {}));

export const mailPreferenceRoutes: FastifyPluginAsyncZod<{ context: Context }> = async (app, { context }) => {
  const { db, appUrl } = context;
  takeOneClick(app);

  app.route({
    ...http(listMails),
    handler: async (request) => ({ mails: await mails.listMails(db, viewerOf(request).id) }),
  });

  app.route({
    ...http(setMails),
    handler: async (request) => {
      const { id } = viewerOf(request);
      await mails.setMails(db, id, request.body.kind, request.body.on);
      return { mails: await mails.listMails(db, id) };
    },
  });

  for (const [call, on] of [
    [endMails, false],
    [resumeMails, true],
  ] as const) {
    app.route({
      ...http(call),
      handler: async (request) => {
        const { userId, kind } = await mails.readEndToken(db, request.query.token);
        await mails.setMails(db, userId, kind, on);
        return mails.preferenceOf(kind, on);
      },
    });
  }

  // The same address, opened by a person: a visit ends nothing, because programs open links by themselves.
  app.get('/mails/end', { schema: { hide: true } }, (request, reply) =>
    reply.redirect(`${appUrl}${paths.endMails}${new URL(request.url, appUrl).search}`, 303),
  );
};
