import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  claimInvitation,
  createImport,
  executeImport,
  getImport,
  getImportErrors,
  listImportRows,
  listImports,
  readImportColumns,
  refuseInvitations,
  showInvitation,
} from '@handwise/contract/invitations/calls';
import { paths } from '@handwise/contract/paths';
import { getCaller } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import { readCallForm } from '../../kit/files/multipart.ts';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import { acceptOneClick } from '../../kit/mail/mail-preferences.routes.ts';
import * as imports from './invitations.import.ts';
import * as invitations from './invitations.service.ts';

export const invitationRoutes: FastifyPluginAsyncZod<{ context: Context }> = async (app, { context }) => {
  const { db } = context;

  app.route({
    ...http(createImport),
    handler: async (request, reply) =>
      reply
        .code(201)
        .send(
          await readCallForm(request, createImport, (form, [file]) =>
            imports.createImport(context, getViewer(request).id, form, file?.path),
          ),
        ),
  });

  app.route({
    ...http(readImportColumns),
    handler: (request) => readCallForm(request, readImportColumns, ({ country }, [file]) => imports.readColumns(country, file?.path)),
  });

  app.route({ ...http(listImports), handler: async () => ({ imports: await imports.listImports(db) }) });

  app.route({ ...http(getImport), handler: ({ params }) => imports.getImport(db, params.id) });

  app.route({ ...http(listImportRows), handler: ({ params, query }) => imports.listImportRows(db, params.id, query) });

  app.route({
    ...http(getImportErrors),
    handler: async ({ params }, reply) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="import-errors.csv"')
        .send(await imports.formatImportErrors(db, params.id)),
  });

  app.route({
    ...http(executeImport),
    handler: async (request, reply) =>
      reply.code(202).send(await imports.executeImport(context, getViewer(request).id, request.params.id, request.body)),
  });

  app.route({
    ...http(showInvitation),
    handler: (request) => invitations.showInvitation(context, request.viewer?.id, request.body.token, getCaller(request).network),
  });

  app.route({
    ...http(claimInvitation),
    handler: (request) => invitations.claimInvitation(context, getViewer(request).id, request.body.token, getCaller(request).network),
  });

  await app.register(linkRoutes, { context });
};

const linkRoutes: FastifyPluginAsyncZod<{ context: Context }> = async (app, { context }) => {
  acceptOneClick(app);

  app.route({ ...http(refuseInvitations), handler: ({ query }) => invitations.refuseInvitations(context, query.token) });

  // A visit to the link only shows the page, because mail programs prefetch links.
  app.get('/invitations/refuse', { schema: { hide: true } }, (request, reply) =>
    reply.redirect(`${context.appUrl}${paths.endInvitations}${new URL(request.url, context.appUrl).search}`, 303),
  );
};
