import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { changeSettingsCall, getSettingsCall, uploadLogoCall } from '@handwise/contract/site/settings';
import { invalidField } from '../../kit/errors.ts';
import { fileUrl } from '../../kit/files/file-store.ts';
import { readCallForm } from '../../kit/files/multipart.ts';
import { storeSiteLogo } from '../../kit/files/stored-files.ts';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import { processSiteLogo } from '../../kit/images/images.ts';
import type { SettingsContext } from './site.context.ts';
import * as settings from './site.settings.ts';

export const settingsRoutes: FastifyPluginAsyncZod<{ context: SettingsContext }> = async (app, { context }) => {
  app.route({ ...http(getSettingsCall), handler: () => settings.getSettings(context) });

  app.route({
    ...http(uploadLogoCall),
    handler: (request) =>
      readCallForm(request, uploadLogoCall, async (_, [file]) => {
        if (!file) throw invalidField('logo', 'Choose a picture');
        const files = await processSiteLogo({ ...file, fieldPath: 'logo' }, getViewer(request).id);
        return { logo: fileUrl(await storeSiteLogo(context.db, context.store, files)) };
      }),
  });

  app.route({
    ...http(changeSettingsCall),
    handler: async (request) => {
      await settings.changeSettings(context, getViewer(request).id, request.body);
      return { message: 'Saved. Every server uses it within five seconds.', ...(await settings.getSettings(context)) };
    },
  });
};
