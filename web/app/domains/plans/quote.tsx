import { getQuote } from '@handwise/contract/plans';
import { queryOptions } from '@tanstack/react-query';
import type { CallOutput } from '@handwise/contract/call';
import { call } from '../../lib/api.ts';
import { date, money } from '../../lib/format.ts';
import styles from './quote.module.css';

/** What a plan would cost for a listing now. It changes with every day that passes, so it is asked for each time. */
export const quoteOf = (listingId: string, planId: string) =>
  queryOptions({
    queryKey: ['quote', listingId, planId],
    queryFn: ({ signal }) => call(getQuote, { query: { listingId, planId } }, signal),
    staleTime: 0,
    enabled: planId !== '',
  });

export type Quote = CallOutput<typeof getQuote>;

/** What is to be paid now, why that much, and until when it lasts. */
export const QuoteSummary = ({ quote: { amount, currency, reason, endDate } }: { quote: Quote }) => (
  <div className={styles.quote}>
    <p className={styles.amount}>
      {amount === 0 ? (
        <strong>Nothing to pay</strong>
      ) : (
        <>
          To pay now <strong>{money(amount, currency)}</strong> <span className={styles.gst}>incl. GST</span>
        </>
      )}
    </p>
    <p>{reason}</p>
    <p>
      Runs until <strong>{date(endDate)}</strong>, and does not renew by itself.
    </p>
  </div>
);
