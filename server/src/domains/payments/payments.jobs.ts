import type { Jobs } from '../../kit/jobs/jobs.ts';
import { detachCard } from './cards/payments.cards.ts';
import { workOffEvent } from './events/payments.events.ts';
import { forgetCustomer } from './payments.leaving.ts';
import { refundPayment } from './payments.refund.ts';
import type { Payments } from './payments.service.ts';

export function paymentJobs(jobs: Jobs, payments: Payments) {
  jobs.handle(refundPayment, ({ refundId }) => payments.refund(refundId));
  jobs.handle(forgetCustomer, ({ customerId }) => payments.deleteCustomer(customerId));
  jobs.handle(detachCard, ({ paymentMethodId }) => payments.detachCard(paymentMethodId));
  jobs.handle(workOffEvent, ({ eventId }) => payments.workOffEvent(eventId));
  jobs.every('payments.reconcile', '* * * * *', () => payments.reconcile());
  jobs.every('payments.delete-old-events', '27 4 * * *', () => payments.deleteOldEvents());
}
