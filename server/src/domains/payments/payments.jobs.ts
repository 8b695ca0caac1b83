import type { Jobs } from '../../kit/jobs/jobs.ts';
import { deleteCustomerJob } from './payments.account-deletion.ts';
import { detachCardJob } from './payments.cards.ts';
import { refundFoundPaymentJob } from './payments.found.ts';
import { refundPaymentJob } from './payments.ledger.ts';
import type { Payments } from './payments.service.ts';
import { processEventJob } from './payments.webhooks.ts';

export function paymentJobs(jobs: Jobs, payments: Payments) {
  jobs.handle(refundPaymentJob, ({ refundId }) => payments.sendRefund(refundId));
  jobs.handle(deleteCustomerJob, ({ customerId }) => payments.deleteCustomer(customerId));
  jobs.handle(detachCardJob, ({ paymentMethodId }) => payments.detachCard(paymentMethodId));
  jobs.handle(processEventJob, ({ eventId }) => payments.processEvent(eventId));
  jobs.handle(refundFoundPaymentJob, ({ intentId }) => payments.refundFoundPayment(intentId));
  jobs.every('payments.scan-provider', '13 * * * *', () => payments.scanProvider());
  jobs.every('payments.reconcile-payments', '* * * * *', () => payments.reconcile());
  jobs.every('payments.delete-old-events', '27 4 * * *', () => payments.deleteOldEvents());
  jobs.every('payments.reconcile-refunds', '* * * * *', () => payments.reconcileRefunds());
}
