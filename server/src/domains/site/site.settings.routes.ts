import { changeSettings, getSettings } from '@handwise/contract/site/settings';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import * as settings from './site.settings.ts';

export const settingsRoutes: FastifyPluginAsyncZod<{ context: settings.SettingsContext }> = async (app, { context }) => {
  app.route({ ...http(getSettings), handler: () => settings.getSettings(context.db) });

  app.route({
    ...http(changeSettings),
    handler: async (request) => {
      await settings.changeSettings(context, getViewer(request).id, request.body);
      return { message: 'Saved. Every server uses it within five seconds.', ...(await settings.getSettings(context.db)) };
    },
  });
};
