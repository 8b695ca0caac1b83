import { addCard } from '@handwise/contract/payments/calls';
import { confirmPayment } from '@handwise/contract/plans/calls';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { call } from '../../lib/api.ts';
import { ApiError } from '../../lib/api-error.ts';
import { useSession } from '../../lib/session/session.ts';
import { Button, ButtonLink } from '../../ui/forms/button.tsx';
import { FormCard } from '../../ui/forms/form-card.tsx';
import { savedCards } from '../payments/payment-queries.ts';
import { type Found, readReturn, type Returned, returnWords } from './payment-return-view.ts';
import styles from './payment-return.module.css';
import { askAgainMs, subscriptionsKey } from './plan-queries.ts';

/** Asks the server what became of it, as often as one looks: it books what has arrived, once. */
async function ask({ purpose, intentId }: Returned): Promise<Found> {
  if (!intentId) return { is: 'unknown' };
  try {
    if (purpose === 'card') {
      await call(addCard, { body: { setupIntentId: intentId } });
      return { is: 'paid' };
    }
    const { refunded } = await call(confirmPayment, { body: { paymentIntentId: intentId } });
    return { is: refunded ? 'returned' : 'paid' };
  } catch (error) {
    const code = error instanceof ApiError ? error.code : null;
    if (code === 'payment_processing') return { is: 'processing' };
    if (code === 'payment_incomplete') return { is: 'failed' };
    if (code === 'payment_not_found') return { is: 'unknown' };
    throw error;
  }
}

/** Where a bank's own page leads back to: what became of the payment, and how one goes on. */
export function PaymentReturned() {
  const [search] = useSearchParams();
  const { user } = useSession();
  const queries = useQueryClient();
  const returned = readReturn(search);
  const query = useQuery({
    queryKey: ['payment-return', user?._id, returned.purpose, returned.intentId],
    queryFn: () => ask(returned),
    retry: false,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => (state.data?.is === 'processing' ? askAgainMs : false),
  });
  const found: Found =
    query.data ?? (query.isError && !query.isFetching ? { is: 'trouble', message: query.error.message } : { is: 'asking' });
  const isPaid = found.is === 'paid';
  const userId = user?._id;
  useEffect(() => {
    if (!isPaid) return;
    void queries.invalidateQueries({ queryKey: subscriptionsKey(userId) });
    void queries.invalidateQueries(savedCards);
  }, [isPaid, queries, userId]);

  const { title, text, next, again } = returnWords(returned, found);
  return (
    <FormCard title={title}>
      <div className={styles.result} role="status">
        {!next && !again && <span className="spinner" aria-hidden="true" />}
        <p>{text}</p>
      </div>
      {next && (
        <ButtonLink to={next.to} wide>
          {next.label}
        </ButtonLink>
      )}
      {again && (
        <Button wide onClick={() => void query.refetch()}>
          Try Again
        </Button>
      )}
    </FormCard>
  );
}
