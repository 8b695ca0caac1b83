import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  acceptQuoteCall,
  declineQuoteCall,
  getQuoteCall,
  getQuotePdfCall,
  listQuoteSummariesCall,
  listQuotesCall,
  markQuoteSeenCall,
  sendQuoteCall,
  withdrawQuoteCall,
} from '@handwise/contract/quotes/calls';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import type { ClientOf } from '../../kit/limits/limits.ts';
import type { PdfRenderer } from '../../kit/pdf/pdf-renderer.ts';
import type { MessageContext } from '../messages/messages.service.ts';
import * as quotes from './quotes.service.ts';

type Options = { context: MessageContext; renderer: PdfRenderer; clientOf: ClientOf };

export const quoteRoutes: FastifyPluginAsyncZod<Options> = async (app, { context, renderer, clientOf }) => {
  app.route({
    ...http(sendQuoteCall),
    handler: async (request, reply) => reply.code(201).send(await quotes.sendQuote(context, getViewer(request).id, request.body)),
  });

  app.route({
    ...http(listQuotesCall),
    handler: (request) => quotes.listQuotes(context, getViewer(request).id, request.query.conversationId),
  });

  app.route({
    ...http(listQuoteSummariesCall),
    handler: async (request) => ({
      quotes: await quotes.listQuoteSummaries(context, getViewer(request).id, request.query.conversationIds),
    }),
  });

  app.route({
    ...http(getQuoteCall),
    handler: (request) => quotes.getQuote(context, getViewer(request).id, request.params.id),
  });

  app.route({
    ...http(markQuoteSeenCall),
    handler: (request) => quotes.markQuoteSeen(context, getViewer(request).id, request.params.id),
  });

  app.route({
    ...http(acceptQuoteCall),
    handler: (request) => quotes.acceptQuote(context, getViewer(request).id, request.params.id),
  });

  app.route({
    ...http(declineQuoteCall),
    handler: (request) => quotes.declineQuote(context, getViewer(request).id, request.params.id, request.body),
  });

  app.route({
    ...http(withdrawQuoteCall),
    handler: (request) => quotes.withdrawQuote(context, getViewer(request).id, request.params.id),
  });

  app.route({
    ...http(getQuotePdfCall),
    handler: async (request, reply) => {
      const { fileName, content } = await quotes.getQuotePdf(context, getViewer(request).id, request.params.id);
      return reply
        .type('application/pdf')
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .send(await renderer.pdf(content, clientOf(request)));
    },
  });
};
