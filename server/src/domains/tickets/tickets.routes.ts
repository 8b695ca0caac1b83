import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  giveEntryCall,
  proveConsistencyCall,
  proveInclusionCall,
  readCheckpointCall,
  readDrawTermsCall,
  readTicketLogCall,
  readTicketLogTextCall,
} from '@handwise/contract/tickets/calls';
import { cached } from '../../kit/cache/cached-routes.ts';
import { http } from '../../kit/http.ts';
import { countAttempt } from '../../kit/identity/attempts.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import { getNetwork } from '../../kit/network.ts';
import type { TicketContext } from './tickets.context.ts';
import { getPeriodByMonth, getTerms } from './tickets.periods.ts';
import * as proofs from './tickets.proofs.ts';
import { giveTickets } from './tickets.service.ts';

/** Per network: a call returns up to ten thousand leaves, a whole log up to a million. */
const partLimit = { max: 300, windowSeconds: 60 };
const wholeLimit = { max: 20, windowSeconds: 60 };

/** For responses that never change. */
const cacheForever = (reply: FastifyReply) => reply.header('cache-control', 'public, max-age=31536000, immutable');

export const ticketRoutes: FastifyPluginAsyncZod<{ context: TicketContext }> = async (app, { context }) => {
  const { db } = context;

  app.route({
    ...http(readTicketLogCall),
    handler: async ({ params, query, ip }, reply) => {
      await countAttempt(db, `ticket-log-from:${getNetwork(ip)}`, partLimit);
      const period = await getPeriodByMonth(db, params.period);
      const part = await proofs.readLeaves(db, period, query);
      if (period.closedAt) cacheForever(reply);
      return part;
    },
  });

  app.route({
    ...http(readTicketLogTextCall),
    handler: async ({ params, ip }, reply) => {
      await countAttempt(db, `whole-ticket-log-from:${getNetwork(ip)}`, wholeLimit);
      const period = await getPeriodByMonth(db, params.period);
      if (period.closedAt) cacheForever(reply);
      return reply.type('text/plain; charset=utf-8').send(Readable.from(proofs.streamLogText(db, period)));
    },
  });

  app.route({
    ...http(readCheckpointCall),
    handler: async ({ params }, reply) => reply.type('text/plain; charset=utf-8').send(await proofs.readCheckpoint(db, params.period)),
  });

  app.route({
    ...http(proveInclusionCall),
    handler: async ({ params, query }, reply) => {
      const proof = await proofs.proveInclusion(db, params.period, query.entry, query.size);
      if (query.size !== undefined) cacheForever(reply);
      return proof;
    },
  });

  app.route({
    ...http(proveConsistencyCall),
    handler: async ({ params, query }, reply) => {
      const proof = await proofs.proveConsistency(db, params.period, query.from, query.to);
      cacheForever(reply);
      return proof;
    },
  });

  app.route({
    ...http(readDrawTermsCall),
    // `current` changes with the month.
    ...cached('none', () => ({ tags: [], maxAgeSeconds: 60 })),
    handler: ({ params }) => getTerms(context, params.period),
  });

  app.route({
    ...http(giveEntryCall),
    handler: async (request, reply) =>
      reply.code(201).send({
        message: 'Tickets given. The person has been told.',
        entry: await giveTickets(context, getViewer(request).id, request.body),
      }),
  });
};
