import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { call } from '../../lib/api.ts';
import { ApiError } from '../../lib/api-error.ts';
import { useSession } from '../../lib/session/session.ts';
import { Button, ButtonLink } from '../../ui/forms/button.tsx';
import { FormCard } from '../../ui/forms/form-card.tsx';
import { savedCards } from '../payments/payment-queries.ts';
import styles from './payment-return.module.css';
import { paymentPollMs, getSubscriptionsKey } from './plan-queries.ts';
import { isId } from '@handwise/contract/ids';
import { paths } from '@handwise/contract/paths';
import { type PaymentReturn, paymentReturns } from '@handwise/contract/payments/return';
import { bankText } from './plan-words.ts';

/** Loads the payment's state. The server books an arrived payment once, however often it is called. */
async function fetchState({ purpose, intentId }: Returned): Promise<ReturnState> {
  if (!intentId) return { is: 'unknown' };
  try {
    if (purpose === 'card') {
      await call('POST /credit', { body: { setupIntentId: intentId } });
      return { is: 'paid' };
    }
    const { refunded } = await call('POST /plan-user/confirm-payment', { body: { paymentIntentId: intentId } });
    return { is: refunded ? 'returned' : 'paid' };
  } catch (error) {
    const code = error instanceof ApiError ? error.code : null;
    if (code === 'payment_processing') return { is: 'processing' };
    if (code === 'payment_incomplete') return { is: 'failed' };
    if (code === 'payment_not_found') return { is: 'unknown' };
    throw error;
  }
}

/** The return page of a bank: the outcome of the payment and the next step. */
export function PaymentReturned() {
  const [search] = useSearchParams();
  const { user } = useSession();
  const queries = useQueryClient();
  const returned = readReturn(search);
  const query = useQuery({
    queryKey: ['payment-return', user?._id, returned.purpose, returned.intentId],
    queryFn: () => fetchState(returned),
    retry: false,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => (state.data?.is === 'processing' ? paymentPollMs : false),
  });
  const found: ReturnState =
    query.data ?? (query.isError && !query.isFetching ? { is: 'trouble', message: query.error.message } : { is: 'asking' });
  const isPaid = found.is === 'paid';
  const userId = user?._id;
  useEffect(() => {
    if (!isPaid) return;
    void queries.invalidateQueries({ queryKey: getSubscriptionsKey(userId) });
    void queries.invalidateQueries(savedCards);
  }, [isPaid, queries, userId]);

  const { title, text, next, again } = describeReturn(returned, found);
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

/** The return address of a bank. Only ids are taken from it; the server knows their state. */
export type Returned = { purpose: PaymentReturn; listingId: string | null; intentId: string | null };

export function readReturn(search: URLSearchParams): Returned {
  const requested = paymentReturns.find((one) => one === search.get('for'));
  const listing = search.get('listing') ?? '';
  const listingId = isId(listing) ? listing : null;
  // An unknown purpose counts as a listing's payment.
  const purpose = requested ?? 'listing';
  const [name, form] =
    purpose === 'card' ? (['setup_intent', /^seti_\w{1,200}$/] as const) : (['payment_intent', /^pi_\w{1,200}$/] as const);
  const id = search.get(name) ?? '';
  return { purpose, listingId, intentId: form.test(id) ? id : null };
}

/** The server's response; `trouble` if there was none. */
export type ReturnState = { is: 'asking' | 'paid' | 'returned' | 'processing' | 'failed' | 'unknown' } | { is: 'trouble'; message: string };

type Words = { title: string; text: string; next: { label: string; to: string } | null; again: boolean };

const ownListings = { label: 'My Listings', to: paths.ownListings };
const cards = { label: 'Saved cards', to: paths.cards };

const paid: Record<PaymentReturn, Omit<Words, 'again'>> = {
  listing: {
    title: 'Your plan is paid',
    text: 'Only the listing is left to create. Everything you typed is kept, and you will not be charged again.',
    next: { label: 'Create your listing', to: paths.addListing },
  },
  plan_change: { title: 'Your plan is changed', text: 'The tax invoice is in your email and in your account.', next: ownListings },
  reactivation: { title: 'Your listing is back', text: 'The tax invoice is in your email and in your account.', next: ownListings },
  renewal: { title: 'Your plan is renewed', text: 'The tax invoice is in your email and in your account.', next: ownListings },
  card: { title: 'Your card is saved', text: 'You can pay with it from now on. Nothing was charged.', next: cards },
};

function getPlace({ purpose, listingId }: Returned): { label: string; to: string } {
  if (purpose === 'listing') return { label: 'Back to your listing', to: paths.addListing };
  if (purpose === 'card') return { label: 'Back to your cards', to: paths.cards };
  if (!listingId) return ownListings;
  // The plan must be chosen again: only the provider knows what was being paid for.
  return { label: 'Pay another way', to: purpose === 'plan_change' ? paths.updatePlan(listingId) : paths.reactivateListing(listingId) };
}

/** The text and the link of each outcome. */
export function describeReturn(returned: Returned, found: ReturnState): Words {
  const isCard = returned.purpose === 'card';
  switch (found.is) {
    case 'asking':
      return { title: isCard ? 'Saving card...' : 'Confirming payment...', text: 'Please wait a moment.', next: null, again: false };
    case 'paid':
      return { ...paid[returned.purpose], again: false };
    case 'returned':
      return {
        title: 'This payment goes back to your card',
        text: 'Something changed while you were at your bank, so the payment bought nothing.',
        next: ownListings,
        again: false,
      };
    case 'processing':
      return { title: 'Your bank is still deciding', text: bankText, next: null, again: false };
    case 'failed':
      return {
        title: isCard ? 'The card was not saved' : 'Nothing was charged',
        text: isCard
          ? 'Your bank did not confirm it. Try again and confirm with your bank, or use another card.'
          : 'Your bank did not confirm the payment. Everything is kept: try again and confirm with your bank, or pay another way.',
        next: getPlace(returned),
        again: false,
      };
    case 'unknown':
      return {
        title: isCard ? 'Card not found' : 'Payment not found',
        text: isCard ? 'We can’t find a card of yours for this link.' : 'We can’t find a payment of yours for this link.',
        next: isCard ? cards : ownListings,
        again: false,
      };
    case 'trouble':
      return { title: 'We don’t know yet', text: found.message, next: null, again: true };
  }
}
