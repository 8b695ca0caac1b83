import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  blockSenderCall,
  contactSellerCall,
  countUnreadCall,
  getConversationCall,
  getMessagePdfCall,
  getReplyTimesCall,
  listConversationsCall,
  markSeenCall,
  sendMessageCall,
  unblockSenderCall,
} from '@handwise/contract/messages/calls';
import { closeQuoteRequestCall, listQuoteRequestsCall, requestQuoteCall } from '@handwise/contract/messages/quote-requests';
import { cached } from '../../kit/cache/cached-routes.ts';
import { sendDownload } from '../../kit/files/file-store.ts';
import { readCallForm } from '../../kit/files/multipart.ts';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import type { MessageHooks, MessageContext } from './messages.context.ts';
import * as messages from './messages.service.ts';

// Reply times on pages are at most a minute old: half of it here, half in the page cache.
const replyTimeSeconds = 30;

export const messageRoutes: FastifyPluginAsyncZod<{ context: MessageContext; hooks: MessageHooks }> = async (app, { context, hooks }) => {
  const { db } = context;

  app.route({
    ...http(contactSellerCall),
    handler: (request) =>
      readCallForm(request, contactSellerCall, async (form, files) => {
        const conversationId = await messages.contactSeller(context, getViewer(request).id, form, files, hooks);
        return { message: 'Message sent successfully', conversationId };
      }),
  });

  app.route({
    ...http(listConversationsCall),
    handler: (request) => messages.listConversations(db, getViewer(request).id, request.query),
  });

  app.route({
    ...http(countUnreadCall),
    handler: async (request) => ({ conversations: await messages.countUnread(db, getViewer(request).id) }),
  });

  app.route({
    ...http(getReplyTimesCall),
    ...cached('none', () => ({ tags: [], maxAgeSeconds: replyTimeSeconds })),
    handler: async (request) => ({ replyTimes: await messages.getReplyTimes(context, request.query.listingIds) }),
  });

  app.route({
    ...http(getConversationCall),
    handler: (request) => messages.getConversation(db, getViewer(request).id, request.params.id, request.query),
  });

  app.route({
    ...http(sendMessageCall),
    handler: (request) =>
      readCallForm(request, sendMessageCall, (form, files) =>
        messages.sendMessage(context, getViewer(request).id, request.params.id, form, files),
      ),
  });

  app.route({
    ...http(getMessagePdfCall),
    handler: async (request, reply) => {
      const { id, number } = request.params;
      const pdf = await messages.getMessagePdf(context, getViewer(request).id, id, number);
      return sendDownload(reply, { ...pdf, type: 'application/pdf' });
    },
  });

  app.route({
    ...http(requestQuoteCall),
    handler: (request) =>
      readCallForm(request, requestQuoteCall, (form, files) =>
        messages.requestQuote(context, { userId: getViewer(request).id, market: request.market }, form, files, hooks),
      ),
  });

  app.route({
    ...http(listQuoteRequestsCall),
    handler: (request) => messages.listQuoteRequests(db, getViewer(request).id, request.query),
  });

  app.route({
    ...http(closeQuoteRequestCall),
    handler: async (request) => ({
      closedAt: (await messages.closeQuoteRequest(context, getViewer(request).id, request.params.id)).toISOString(),
    }),
  });

  app.route({
    ...http(markSeenCall),
    handler: async (request) => ({
      unread: await messages.markSeen(context, getViewer(request).id, request.params.id, request.body.number),
    }),
  });

  for (const [call, blocked] of [
    [blockSenderCall, true],
    [unblockSenderCall, false],
  ] as const) {
    app.route({
      ...http(call),
      handler: async (request) => {
        await messages.setBlocked(context, getViewer(request).id, request.params.id, blocked);
        return { blocked };
      },
    });
  }
};
