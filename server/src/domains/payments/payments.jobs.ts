import type { Jobs } from '../../kit/jobs/jobs.ts';
import { detachCard } from './cards/payments.cards.ts';
import { workOffEvent } from './events/payments.events.ts';
import { returnFound } from './found/payments.found.return.ts';
import { forgetCustomer } from './payments.leaving.ts';
import { refundPayment } from './refunds/payments.refunds.begin.ts';
import type { Payments } from './payments.service.ts';

export function paymentJobs(jobs: Jobs, payments: Payments) {
  jobs.handle(refundPayment, ({ refundId }) => payments.sendRefund(refundId));
  jobs.handle(forgetCustomer, ({ customerId }) => payments.deleteCustomer(customerId));
  jobs.handle(detachCard, ({ paymentMethodId }) => payments.detachCard(paymentMethodId));
  jobs.handle(workOffEvent, ({ eventId }) => payments.workOffEvent(eventId));
  jobs.handle(returnFound, ({ intentId }) => payments.sendFoundBack(intentId));
  jobs.every('payments.look-at-provider', '13 * * * *', () => payments.lookAtProvider());
  jobs.every('payments.reconcile', '* * * * *', () => payments.reconcile());
  jobs.every('payments.delete-old-events', '27 4 * * *', () => payments.deleteOldEvents());
  jobs.every('payments.reconcile-refunds', '* * * * *', () => payments.reconcileRefunds());
}
