import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { streamEventsCall } from '@handwise/contract/live-events';
import '../limits/call-queue.ts';
import { AppError } from '../errors.ts';
import { http } from '../http.ts';
import { getViewer } from '../identity/session-guard.ts';
import type { LiveStreams } from './live-streams.ts';

type Options = { streams: LiveStreams };

/** `GET /api/events`: `LiveStreams` writes the response until the connection ends. */
export const liveRoutes: FastifyPluginAsyncZod<Options> = async (app, { streams }) => {
  app.addHook('preClose', async () => streams.close());
  app.route({
    ...http(streamEventsCall),
    handler: async (request, reply) => {
      const { id: userId, token, isLook } = getViewer(request);
      // An administrator viewing as a user must not count as the user's presence, which would hold back their emails.
      if (isLook) throw new AppError('look_only');
      const last = request.headers['last-event-id'];
      const lastEventId = last === undefined ? undefined : Number(last);
      reply.headers({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // Proxies must not buffer.
        'x-accel-buffering': 'no',
        // A server that shuts down would wait for an idle connection.
        connection: 'close',
      });
      const headers = reply.getHeaders() as OutgoingHttpHeaders;
      await streams.open({ userId, token, network: request.network, lastEventId, response: reply.raw }, headers);
      request.endTask?.();
      return reply.hijack();
    },
  });
};
