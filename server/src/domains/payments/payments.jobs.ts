import type { Checkout } from './payments.service.ts';
import * as payments from './payments.service.ts';

export function paymentJobs(checkout: Checkout) {
  const { jobs } = checkout;
  jobs.handle(payments.refundPayment, ({ refundId }) => payments.refund(checkout, refundId));
  jobs.handle(payments.detachCard, ({ paymentMethodId }) => payments.detach(checkout, paymentMethodId));
  jobs.every('payments.reconcile', '* * * * *', () => payments.reconcile(checkout));
}
