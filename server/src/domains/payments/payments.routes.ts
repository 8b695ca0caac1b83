import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  addCardCall,
  confirmSetupCall,
  createSetupIntentCall,
  deleteCardCall,
  getReceiptCall,
  getReceiptPdfCall,
  listCardsCall,
  listReceiptsCall,
  receiveWebhookCall,
} from '@handwise/contract/payments/calls';
import { getAdjustmentNotePdfCall, listRefundsCall } from '@handwise/contract/payments/refunds';
import type { Db } from '../../kit/database/database.ts';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import type { ClientOf } from '../../kit/limits/limits.ts';
import type { PdfRenderer } from '../../kit/pdf/pdf-renderer.ts';
import { addCard, confirmSetup, createSetupIntent, deleteCard, listCards } from './payments.cards.ts';
import type { PaymentHooks, Payments } from './payments.context.ts';
import * as documents from './payments.documents.ts';
import { listOwnRefunds } from './payments.refunds.ts';
import type { ReturnTo } from './payments.service.ts';
import { receiveEvent } from './payments.webhooks.ts';

type Options = {
  db: Db;
  payments: Payments;
  hooks: Pick<PaymentHooks, 'findEnded'>;
  returnTo: ReturnTo;
  renderer: PdfRenderer;
  clientOf: ClientOf;
};

export const paymentRoutes: FastifyPluginAsyncZod<Options> = async (app, { db, payments, hooks, returnTo, renderer, clientOf }) => {
  app.route({
    ...http(listCardsCall),
    handler: async (request) => ({ data: await listCards(payments, getViewer(request).id) }),
  });

  app.route({
    ...http(createSetupIntentCall),
    handler: async (request, reply) => reply.code(201).send(await createSetupIntent(payments, getViewer(request).id)),
  });

  app.route({
    ...http(confirmSetupCall),
    handler: (request) => {
      const { setupIntentId, ...input } = request.body;
      return confirmSetup(payments, getViewer(request).id, setupIntentId, input, returnTo(request.headers.host, 'card'));
    },
  });

  app.route({
    ...http(addCardCall),
    handler: async (request, reply) => reply.code(201).send(await addCard(payments, getViewer(request).id, request.body.setupIntentId)),
  });

  app.route({
    ...http(deleteCardCall),
    handler: async (request) => {
      await deleteCard(payments, getViewer(request).id, request.params.id);
      return { message: 'The card was removed.' };
    },
  });

  app.route({
    ...http(listReceiptsCall),
    handler: async (request) => ({ data: await documents.listReceipts(db, getViewer(request).id) }),
  });

  app.route({
    ...http(getReceiptCall),
    handler: (request) => documents.getReceipt(db, getViewer(request).id, request.params.id),
  });

  app.route({
    ...http(getReceiptPdfCall),
    handler: async (request, reply) => {
      const receipt = await documents.getReceipt(db, getViewer(request).id, request.params.id);
      return reply
        .type('application/pdf')
        .header('content-disposition', `attachment; filename="${receipt.number}.pdf"`)
        .send(await renderer.pdf(documents.receiptPdf(receipt), clientOf(request)));
    },
  });

  app.route({
    ...http(listRefundsCall),
    handler: async (request) => ({ data: await listOwnRefunds(db, getViewer(request).id, hooks.findEnded) }),
  });

  app.route({
    ...http(getAdjustmentNotePdfCall),
    handler: async (request, reply) => {
      const note = await documents.getNote(db, getViewer(request).id, request.params.id);
      return reply
        .type('application/pdf')
        .header('content-disposition', `attachment; filename="${note.number}.pdf"`)
        .send(await renderer.pdf(documents.adjustmentNotePdf(note), clientOf(request)));
    },
  });

  await app.register(async (hook) => {
    // The signature covers the raw bytes.
    hook.removeAllContentTypeParsers();
    hook.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    hook.route({
      ...http(receiveWebhookCall),
      // Events contain whole provider objects.
      bodyLimit: 256 * 1024,
      handler: async (request) => {
        await receiveEvent(payments, request.body, request.headers['stripe-signature']);
        return { received: true as const };
      },
    });
  });
};
