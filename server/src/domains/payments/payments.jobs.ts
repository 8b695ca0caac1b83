import type { Jobs } from '../../kit/jobs/jobs.ts';
import { deleteCustomerJob, deleteCustomer } from './payments.account-deletion.ts';
import { detachCardJob, detachCard } from './payments.cards.ts';
import type { Payments } from './payments.context.ts';
import { refundFoundPaymentJob, refundFoundPayment } from './payments.found.ts';
import { refundPaymentJob } from './payments.ledger.ts';
import { reconcilePayments, scanProvider } from './payments.reconcile.ts';
import { reconcileRefunds, sendRefund } from './payments.refunds.ts';
import { processEventJob, deleteOldEvents, processEvent } from './payments.webhooks.ts';

export function paymentJobs(jobs: Jobs, payments: Payments) {
  jobs.handle(refundPaymentJob, ({ refundId }) => sendRefund(payments, refundId));
  jobs.handle(deleteCustomerJob, ({ customerId }) => deleteCustomer(payments, customerId));
  jobs.handle(detachCardJob, ({ paymentMethodId }) => detachCard(payments, paymentMethodId));
  jobs.handle(processEventJob, ({ eventId }) => processEvent(payments, eventId));
  jobs.handle(refundFoundPaymentJob, ({ intentId }) => refundFoundPayment(payments, intentId));
  jobs.every('payments.scan-provider', '13 * * * *', () => scanProvider(payments));
  jobs.every('payments.reconcile-payments', '* * * * *', () => reconcilePayments(payments));
  jobs.every('payments.delete-old-events', '27 4 * * *', () => deleteOldEvents(payments));
  jobs.every('payments.reconcile-refunds', '* * * * *', () => reconcileRefunds(payments));
}
