import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { listAuditLogCall } from '@handwise/contract/admin/calls';
import { getPaymentForAdminCall, listDisputesCall, refundPaymentCall } from '@handwise/contract/admin/payments';
import {
  createDecisionCall,
  decideAppealCall,
  decideReportCall,
  getAdminOverviewCall,
  getReportedPdfCall,
  listAppealsCall,
  listDecisionsCall,
  listReportsCall,
  undoDecisionCall,
} from '@handwise/contract/admin/reports';
import {
  endLooksCall,
  getUserForAdminCall,
  searchListingsCall,
  searchPaymentsCall,
  searchReviewsCall,
  searchUsersCall,
  startLookCall,
} from '@handwise/contract/admin/search';
import { listWorkCall } from '@handwise/contract/admin/work';
import { getCaller } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import { sendDownload } from '../../kit/files/file-store.ts';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import { type Payments, requestRefund } from '../payments/payments.service.ts';
import * as appeals from './admin.appeals.ts';
import * as audit from './admin.audit.ts';
import * as decisions from './admin.decisions.ts';
import * as looks from './admin.looks.ts';
import * as money from './admin.payments.ts';
import * as queue from './admin.queue.ts';
import * as reports from './admin.reports.ts';
import * as search from './admin.search.ts';
import * as work from './admin.work.ts';

const decided = (_id: string) => ({ message: 'Decided. The person concerned has been told.', _id });

/** Calls for administrators only. */
export const adminRoutes: FastifyPluginAsyncZod<{ context: Context; payments: Payments }> = async (app, { context, payments }) => {
  const { db } = context;

  app.route({ ...http(listWorkCall), handler: () => work.listWork(context) });

  app.route({ ...http(getAdminOverviewCall), handler: () => queue.getOverview(context) });

  app.route({ ...http(listReportsCall), handler: (request) => queue.listReports(db, getViewer(request).id, request.query) });

  app.route({
    ...http(getReportedPdfCall),
    handler: async ({ params }, reply) =>
      sendDownload(reply, { ...(await reports.getReportedPdf(context, params.id)), type: 'application/pdf' }),
  });

  app.route({
    ...http(decideReportCall),
    handler: async (request) => decided(await decisions.decideReport(context, getViewer(request).id, request.params.id, request.body)),
  });

  app.route({ ...http(listDecisionsCall), handler: ({ query }) => queue.listDecisions(db, query) });

  app.route({
    ...http(createDecisionCall),
    handler: async (request, reply) =>
      reply.code(201).send(decided(await decisions.createDecision(context, getViewer(request).id, request.body))),
  });

  app.route({
    ...http(undoDecisionCall),
    handler: async (request) =>
      decided(await decisions.undoDecision(context, getViewer(request).id, request.params.id, request.body.reason)),
  });

  app.route({ ...http(listAppealsCall), handler: (request) => queue.listAppeals(db, getViewer(request).id, request.query) });

  app.route({
    ...http(decideAppealCall),
    handler: async (request) => {
      await appeals.decideAppeal(context, getViewer(request).id, request.params.id, request.body.uphold, request.body.reason);
      return { message: 'Answered. The person concerned has been told.' };
    },
  });

  app.route({ ...http(listAuditLogCall), handler: ({ query }) => audit.listAuditLog(db, query) });

  app.route({ ...http(searchUsersCall), handler: ({ query }) => search.searchUsers(db, query) });

  app.route({ ...http(getUserForAdminCall), handler: ({ params }) => search.getAccount(context, params.id) });

  app.route({ ...http(searchListingsCall), handler: ({ query }) => search.searchListings(db, query) });

  app.route({ ...http(searchReviewsCall), handler: ({ query }) => search.searchReviews(db, query) });

  app.route({ ...http(searchPaymentsCall), handler: ({ query }) => search.searchPaymentsWithPayers(db, query) });

  app.route({
    ...http(startLookCall),
    handler: async (request, reply) => {
      const by = { reason: request.body.reason, browser: getCaller(request).browser };
      return reply.code(201).send(await looks.viewAsUser(context, getViewer(request).id, request.params.id, by));
    },
  });

  app.route({
    ...http(endLooksCall),
    handler: async (request) => {
      await looks.endLooks(context, getViewer(request).id);
      return { message: 'You are no longer viewing the site as somebody else.' };
    },
  });

  app.route({ ...http(listDisputesCall), handler: ({ query }) => money.listDisputesWithPayers(db, query) });

  app.route({ ...http(getPaymentForAdminCall), handler: ({ params }) => money.getPayment(context, params.id) });

  app.route({
    ...http(refundPaymentCall),
    handler: async (request, reply) => {
      const refund = await requestRefund(payments, getViewer(request).id, request.params.id, request.body);
      return reply.code(201).send({ message: 'Booked. The payer will be told when it has arrived.', refund });
    },
  });
};
