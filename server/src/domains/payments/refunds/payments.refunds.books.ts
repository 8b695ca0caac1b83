import type { Contact } from '../../accounts/accounts.service.ts';
import type { PaymentRow } from '../payments.queries.ts';
import type { RefundRow } from './payments.refunds.queries.ts';

/** Something that the payer, and of a failure the operator, is told once the books are written. */
type News = { refund: RefundRow; became: 'refunded' | 'failed' };

/** The books of one payment, held under its lock while they change. `bought` and `owed` are written when it closes. */
export type Books = {
  readonly payment: PaymentRow;
  readonly payer: Contact;
  rows: RefundRow[];
  bought: number;
  owed: number;
  news: News[];
  /** Why what was bought ends, where this takes the last of its money. Null: it stays, as a gift. */
  because: string | null;
  /** What others earned by the payment becomes void. */
  isFraud: boolean;
};
