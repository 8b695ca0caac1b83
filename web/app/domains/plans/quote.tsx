import { money } from '@handwise/contract/money';
import { dateText } from '@handwise/contract/dates';
import { getQuote } from '@handwise/contract/selling/calls';
import { queryOptions } from '@tanstack/react-query';
import type { CallOutput } from '@handwise/contract/call';
import { call } from '../../lib/api.ts';
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

/** What is to be paid now, why that much, and until when it lasts. `brief` leaves out the end, where the reason names it. */
export const QuoteSummary = ({
  quote: { amount, currency, reason, endDate, timeZone },
  brief = false,
}: {
  quote: Quote;
  brief?: boolean;
}) => (
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
    {/* The heading above says it already. */}
    <p>{reason.replace(/ Nothing to pay\.$/, '')}</p>
    {!brief && (
      <p>
        Runs until <strong>{dateText(endDate, timeZone)}</strong>, and does not renew by itself.
      </p>
    )}
  </div>
);
