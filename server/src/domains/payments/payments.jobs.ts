import type { Jobs } from '../../kit/jobs/jobs.ts';
import { detachCard } from './cards/payments.cards.ts';
import { forgetCustomer } from './payments.leaving.ts';
import { refundPayment } from './payments.refund.ts';
import type { Payments } from './payments.service.ts';

export function paymentJobs(jobs: Jobs, payments: Payments) {
  jobs.handle(refundPayment, ({ refundId }) => payments.refund(refundId));
  jobs.handle(forgetCustomer, ({ customerId }) => payments.deleteCustomer(customerId));
  jobs.handle(detachCard, ({ paymentMethodId }) => payments.detachCard(paymentMethodId));
  jobs.every('payments.reconcile', '* * * * *', () => payments.reconcile());
}
