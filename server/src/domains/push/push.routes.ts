import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  addPushSubscriptionCall,
  deletePushSubscriptionCall,
  getPushKeyCall,
  listPushSubscriptionsCall,
  updatePushSubscriptionCall,
} from '@handwise/contract/push/calls';
import { getCaller } from '../../kit/caller.ts';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import type { PushContext } from './push.context.ts';
import * as push from './push.service.ts';

export const pushRoutes: FastifyPluginAsyncZod<{ context: PushContext }> = async (app, { context }) => {
  const { db } = context;

  app.route({ ...http(getPushKeyCall), handler: async () => ({ key: await push.getPublicKey(db) }) });

  app.route({
    ...http(addPushSubscriptionCall),
    handler: (request) => push.addDevice(context, getViewer(request), request.body, getCaller(request).browser),
  });

  app.route({
    ...http(listPushSubscriptionsCall),
    handler: async (request) => ({ subscriptions: await push.listDevices(db, getViewer(request)) }),
  });

  app.route({
    ...http(updatePushSubscriptionCall),
    handler: (request) => push.updateDevice(db, getViewer(request), request.params.id, request.body.showsText),
  });

  app.route({
    ...http(deletePushSubscriptionCall),
    handler: async (request) => {
      await push.deleteDevice(db, getViewer(request), request.params.id);
      return { message: 'Notifications have ended on this device' };
    },
  });
};
