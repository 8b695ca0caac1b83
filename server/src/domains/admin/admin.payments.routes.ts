import { getPaymentForAdmin, listDisputes, refundPayment } from '@handwise/contract/admin/payments';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Context } from '../../kit/context.ts';
import { http } from '../../kit/http.ts';
import { viewerOf } from '../../kit/identity/session-guard.ts';
import type { Payments } from '../payments/payments.service.ts';
import * as money from './admin.payments.ts';

/** What administrators do about money. */
export const adminPaymentRoutes: FastifyPluginAsyncZod<{ context: Context; payments: Payments }> = async (app, { context, payments }) => {
  const { db } = context;

  app.route({ ...http(listDisputes), handler: ({ query }) => money.listDisputes(db, query) });

  app.route({ ...http(getPaymentForAdmin), handler: ({ params }) => money.getPayment(context, params.id) });

  app.route({
    ...http(refundPayment),
    handler: async (request, reply) => {
      const refund = await payments.requestRefund(viewerOf(request).id, request.params.id, request.body);
      return reply.code(201).send({ message: 'Booked. The payer will be told when it has arrived.', refund });
    },
  });
};
