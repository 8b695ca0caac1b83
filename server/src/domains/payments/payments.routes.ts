import {
  addCard,
  createSetupIntent,
  deleteCard,
  getReceipt,
  getReceiptPdf,
  listCards,
  listReceipts,
  receiveWebhook,
} from '@handwise/contract/payments';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { AppError } from '../../kit/errors.ts';
import { http } from '../../kit/http.ts';
import { viewerOf } from '../../kit/session-guard.ts';
import type { Checkout } from './payments.service.ts';
import * as payments from './payments.service.ts';
import { receiptPdf } from './receipt-pdf.ts';

export const paymentRoutes: FastifyPluginAsyncZod<{ checkout: Checkout; webhookSecret: string }> = async (
  app,
  { checkout, webhookSecret },
) => {
  const { db, jobs } = checkout;

  app.route({
    ...http(listCards),
    handler: async (request) => ({ data: await payments.listCards(db, viewerOf(request).id) }),
  });

  app.route({
    ...http(createSetupIntent),
    handler: async (request, reply) => reply.code(201).send(await payments.createSetupIntent(checkout, viewerOf(request).id)),
  });

  app.route({
    ...http(addCard),
    handler: async (request, reply) =>
      reply.code(201).send(await payments.addCard(checkout, viewerOf(request).id, request.body.setupIntentId)),
  });

  app.route({
    ...http(deleteCard),
    handler: async (request) => {
      const { id } = viewerOf(request);
      await db.transaction().execute((tx) => payments.deleteCard(tx, jobs, id, request.params.id));
      return { message: 'The card was removed.' };
    },
  });

  app.route({
    ...http(listReceipts),
    handler: async (request) => ({ data: await payments.listReceipts(db, viewerOf(request).id) }),
  });

  app.route({
    ...http(getReceipt),
    handler: (request) => payments.getReceipt(db, viewerOf(request).id, request.params.id),
  });

  app.route({
    ...http(getReceiptPdf),
    handler: async (request, reply) => {
      const receipt = await payments.getReceipt(db, viewerOf(request).id, request.params.id);
      return reply
        .type('application/pdf')
        .header('content-disposition', `attachment; filename="${receipt.number}.pdf"`)
        .send(await receiptPdf(receipt));
    },
  });

  await app.register(async (hook) => {
    // The signature is over the very bytes that were sent.
    hook.removeAllContentTypeParsers();
    hook.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    hook.route({
      ...http(receiveWebhook),
      handler: async (request) => {
        const signature = request.headers['stripe-signature'];
        const event = signedEvent(checkout, request.body, signature, webhookSecret);
        if (event.type.startsWith('payment_intent.') && 'id' in event.data.object && typeof event.data.object.id === 'string') {
          await payments.hearOfIntent(checkout, event.data.object.id);
        }
        return { received: true as const };
      },
    });
  });
};

function signedEvent({ stripe }: Checkout, body: unknown, signature: unknown, secret: string) {
  try {
    if (!Buffer.isBuffer(body) || typeof signature !== 'string') throw new AppError('webhook_signature_invalid');
    return stripe.webhooks.constructEvent(body, signature, secret);
  } catch {
    throw new AppError('webhook_signature_invalid');
  }
}
