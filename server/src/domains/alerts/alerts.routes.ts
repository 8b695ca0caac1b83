import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  updateAlertCall,
  deleteAlertCall,
  endAlertCall,
  saveAlertCall,
  listAlertsCall,
  restoreAlertCall,
  resumeAlertCall,
} from '@handwise/contract/alerts/calls';
import { paths } from '@handwise/contract/paths';
import type { Context } from '../../kit/context.ts';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import { acceptOneClick } from '../../kit/mail/mail-preferences.routes.ts';
import type { SearchParts } from '../search/search.service.ts';
import * as alerts from './alerts.service.ts';

export const alertRoutes: FastifyPluginAsyncZod<{ context: Context; search: SearchParts }> = async (app, { context, search }) => {
  const { db } = context;

  app.route({
    ...http(listAlertsCall),
    handler: async (request) => ({ alerts: await alerts.listAlerts(db, getViewer(request).id) }),
  });

  app.route({
    ...http(saveAlertCall),
    handler: (request) => alerts.saveAlert(context, search, getViewer(request).id, request.body, request.market),
  });

  app.route({
    ...http(updateAlertCall),
    handler: (request) => alerts.updateAlert(context, getViewer(request).id, request.params.id, request.body),
  });

  app.route({
    ...http(deleteAlertCall),
    handler: async (request) => {
      await alerts.deleteAlert(context, getViewer(request).id, request.params.id);
      return { isDeleted: true as const };
    },
  });

  app.route({
    ...http(restoreAlertCall),
    handler: (request) => alerts.restoreAlert(context, getViewer(request).id, request.params.id),
  });

  await app.register(linkRoutes, { context });
};

const linkRoutes: FastifyPluginAsyncZod<{ context: Context }> = async (app, { context }) => {
  acceptOneClick(app);

  for (const [call, paused] of [
    [endAlertCall, true],
    [resumeAlertCall, false],
  ] as const) {
    app.route({ ...http(call), handler: ({ query }) => alerts.setAlertsPausedByLink(context, query.token, paused) });
  }

  // A visit to the link only shows the page, because mail programs prefetch links.
  app.get('/alerts/end', { schema: { hide: true } }, (request, reply) =>
    reply.redirect(`${context.appUrl}${paths.endAlert}${new URL(request.url, context.appUrl).search}`, 303),
  );
};
