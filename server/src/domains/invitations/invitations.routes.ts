import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  claimInvitationCall,
  createImportCall,
  executeImportCall,
  getImportCall,
  getImportErrorsCall,
  listImportRowsCall,
  listImportsCall,
  readImportColumnsCall,
  refuseInvitationsCall,
  showInvitationCall,
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
    ...http(createImportCall),
    handler: async (request, reply) =>
      reply
        .code(201)
        .send(
          await readCallForm(request, createImportCall, (form, [file]) =>
            imports.createImport(context, getViewer(request).id, form, file?.path),
          ),
        ),
  });

  app.route({
    ...http(readImportColumnsCall),
    handler: (request) => readCallForm(request, readImportColumnsCall, ({ country }, [file]) => imports.readColumns(country, file?.path)),
  });

  app.route({ ...http(listImportsCall), handler: async () => ({ imports: await imports.listImports(db) }) });

  app.route({ ...http(getImportCall), handler: ({ params }) => imports.getImport(db, params.id) });

  app.route({ ...http(listImportRowsCall), handler: ({ params, query }) => imports.listImportRows(db, params.id, query) });

  app.route({
    ...http(getImportErrorsCall),
    handler: async ({ params }, reply) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="import-errors.csv"')
        .send(await imports.formatImportErrors(db, params.id)),
  });

  app.route({
    ...http(executeImportCall),
    handler: async (request, reply) =>
      reply.code(202).send(await imports.executeImport(context, getViewer(request).id, request.params.id, request.body)),
  });

  app.route({
    ...http(showInvitationCall),
    handler: (request) => invitations.showInvitation(context, request.viewer?.id, request.body.token, getCaller(request).network),
  });

  app.route({
    ...http(claimInvitationCall),
    handler: (request) => invitations.claimInvitation(context, getViewer(request).id, request.body.token, getCaller(request).network),
  });

  await app.register(linkRoutes, { context });
};

const linkRoutes: FastifyPluginAsyncZod<{ context: Context }> = async (app, { context }) => {
  acceptOneClick(app);

  app.route({ ...http(refuseInvitationsCall), handler: ({ query }) => invitations.refuseInvitations(context, query.token) });

  // A visit to the link only shows the page, because mail programs prefetch links.
  app.get('/invitations/refuse', { schema: { hide: true } }, (request, reply) =>
    reply.redirect(`${context.appUrl}${paths.endInvitations}${new URL(request.url, context.appUrl).search}`, 303),
  );
};
