import type { Tx } from '../../../kit/database/database.ts';
import { sendMail } from '../../../kit/mail/mail.ts';
import type { Parts } from '../payments.parts.ts';
import type { Books } from './payments.refunds.books.ts';
import { failedMail, failedOperatorMail, refundMail } from './payments.refunds.mails.ts';
import { issueNote } from './payments.refunds.notes.ts';

/** Tells what became of refunds: of money that arrived with the note that corrects the invoice, of money that did not the operator as well. */
export async function tell(parts: Parts, tx: Tx, books: Books): Promise<void> {
  const { jobs, appUrl, clock } = parts.context;
  const { payment, payer } = books;
  for (const { refund, became } of books.news) {
    const told = {
      to: payer.email,
      name: payer.full_name,
      amountMinor: refund.amount_minor,
      paidMinor: payment.captured_minor,
      currency: payment.currency,
      reason: refund.reason,
      source: refund.source,
      appUrl,
    };
    if (became === 'refunded') {
      const note = await issueNote(tx, books, refund, clock.now());
      if (!payer.deleted_at) await jobs.send(tx, sendMail, refundMail(told, note));
      continue;
    }
    if (!payer.deleted_at) await jobs.send(tx, sendMail, failedMail(told));
    const { provider_id: providerId, failure_reason: failure } = refund;
    await jobs.send(
      tx,
      sendMail,
      failedOperatorMail(parts.operatorEmail, { ...told, paymentId: payment.id, providerId, failure: failure ?? '' }),
    );
  }
}
