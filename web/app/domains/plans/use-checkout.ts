import type { CountryCode } from '@handwise/contract/markets';
import type { FreeMonth, Plan, Subscription } from '@handwise/contract/plans/calls';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useReducer, useRef } from 'react';
import { ApiError, getServerReason } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { type CardOutcome, cardTexts, type Collected, getOutcomeProblem } from '../payments/providers/card-outcome-view.ts';
import { checkoutReducer, checkoutView, createFirstState, type IntentFacts } from './checkout-states.ts';
import { paymentPollMs, type CheckoutPayment, getSubscriptionsKey } from './plan-queries.ts';

/** The buyer, the purchase and what is already known about its payment. */
export type Purchase = {
  user: { id: string; name: string; email: string; emailConfirmed: boolean };
  plan: Plan;
  country: CountryCode;
  /** The subscription that covers the listing: nothing is to be paid. */
  cover: Subscription | undefined;
  /** An earlier payment, certain or possible. */
  payment: CheckoutPayment | null;
  /** Whether a referral code made the first month free, as the server has it. */
  freeFirstMonth: boolean;
  /** Whether the user has a free month, such as one for tickets. */
  hasCredit: boolean;
  /** An accepted referral code, or empty. */
  referralCode: string;
  /** The NZBN or ABN of the listing, or empty: each business has one free first month. */
  businessNumber: string;
};

type CheckoutOptions = {
  purchase: Purchase;
  /** Stores the checkout's result so that it outlives the page. */
  onChange: (change: Partial<Pick<Purchase, 'payment' | 'referralCode'>>) => void;
  /** Called once everything due is paid; leads to the listing. */
  onReady: (paymentId: string | null) => void;
  /** Runs the bank's challenge. Never throws. */
  authenticate: (clientSecret: string) => Promise<CardOutcome>;
};

const coveredWaitMs = 1000;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const getCode = (error: unknown) => (error instanceof ApiError ? error.code : null);
const getText = (error: unknown, fallback: string) => getServerReason(error) ?? fallback;

const intentText = 'Unable to process payment. Please try again.';
const refundText = 'This payment was refunded, because your subscription covers this listing already.';
const cardUsedText =
  'This card has had its free month with another account. Nothing was charged: you can pay for the plan, with this card or another one.';
const verifyText = 'Payment verification failed. Please contact support.';

/** Until the bank of an earlier attempt has decided, the amount is asked for again. */
export const getIntentRefetchMs = (error: unknown) => (getCode(error) === 'payment_processing' ? paymentPollMs : false);

/** Loads the amount, and creates the payment if it is not zero. */
function useIntent({ user, plan, country, cover, payment, businessNumber }: Purchase, onCovered: () => void) {
  const key = ['payment-intent', user.id, plan._id, country, businessNumber];
  const isNeeded = cover === undefined && payment === null;
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      try {
        return await call('POST /plan-user/create-intent', { body: { planId: plan._id, country, businessNumber } }, signal);
      } catch (error) {
        if (getCode(error) === 'already_covered') onCovered();
        throw error;
      }
    },
    enabled: isNeeded,
    retry: false,
    // Reloaded at each visit: an open payment may have been paid or refunded.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => getIntentRefetchMs(state.error),
  });
  return { key, query, facts: intentFacts(query, isNeeded) };
}

function intentFacts(
  { data, error }: { data: { amount: number; free: FreeMonth | null } | undefined; error: Error | null },
  isNeeded: boolean,
): IntentFacts | null {
  if (error && getCode(error) === 'already_covered') return { state: 'covered', message: error.message };
  if (getCode(error) === 'payment_processing') return { state: 'atBank' };
  if (data) return { state: 'there', amount: data.amount, free: data.free };
  if (error) return { state: 'failed', problem: getText(error, intentText) };
  return isNeeded ? { state: 'asking' } : null;
}

/** Runs a payment, if one is due, from the quote to the subscription. */
export function useCheckout({ purchase, onChange, onReady, authenticate }: CheckoutOptions) {
  const { user, plan, country, cover, payment, freeFirstMonth, hasCredit, businessNumber } = purchase;
  const queries = useQueryClient();
  const [state, dispatch] = useReducer(checkoutReducer, createFirstState(payment?.state === 'open'));
  const here = useRef(true);
  const refreshSubscriptions = () => queries.invalidateQueries({ queryKey: getSubscriptionsKey(user.id) });
  // Already bought: the covering subscription is reloaded.
  const intent = useIntent(purchase, () => void refreshSubscriptions());
  const view = checkoutView(state, {
    payment: payment?.state ?? null,
    covered: cover !== undefined,
    expectsFree: freeFirstMonth || hasCredit,
    price: plan.priceMinor,
    intent: intent.facts,
  });

  /** Polls until the bank has decided. Returns the error text, or null if it is paid. Throws if the outcome is unknown. */
  async function settle(open: CheckoutPayment): Promise<string | null> {
    for (;;) {
      try {
        const { subscription } = await call('POST /plan-user/confirm-payment', { body: { paymentIntentId: open.paymentIntentId } });
        onChange({ payment: subscription ? { ...open, state: 'paid' } : null });
        await refreshSubscriptions();
        dispatch(subscription ? { type: 'settled' } : { type: 'settled', notice: refundText });
        return subscription ? null : refundText;
      } catch (error) {
        const code = getCode(error);
        // The page was left: the payment stays open in the draft, and is looked up at the next visit.
        if (code === 'payment_processing' && here.current) {
          dispatch({ type: 'bankWaits' });
          await wait(paymentPollMs);
          continue;
        }
        if (code !== 'payment_incomplete' && code !== 'payment_not_found') throw error;
        onChange({ payment: null });
        dispatch({ type: 'settled' });
        return getText(error, intentText);
      }
    }
  }
  const lose = (error: unknown) => dispatch({ type: 'lost', trouble: getText(error, verifyText) });

  // A failed earlier attempt shows no message, because the user can simply pay.
  const resume = (open: CheckoutPayment) => settle(open).then(() => undefined, lose);
  const resumeOnce = useEffectEvent(() => {
    if (payment?.state === 'open') void resume(payment);
  });
  useEffect(() => {
    here.current = true;
    const start = setTimeout(resumeOnce);
    return () => {
      here.current = false;
      clearTimeout(start);
    };
  }, []);

  /** Pays with the collected card and runs the bank's challenge. Returns the outcome, if known. */
  async function send(paymentIntentId: string, confirmationToken: string, saveCard: boolean): Promise<CardOutcome> {
    try {
      const { status, clientSecret } = await call('POST /plan-user/pay', { body: { paymentIntentId, confirmationToken, saveCard } });
      if (status === 'requires_action' && clientSecret) return await authenticate(clientSecret);
      return { status: status === 'done' ? 'succeeded' : 'processing', id: paymentIntentId };
    } catch (error) {
      // The payment was abandoned, so another one is created.
      if (getCode(error) === 'payment_incomplete' || getCode(error) === 'payment_not_found')
        return { status: 'canceled', id: paymentIntentId };
      return { error: getText(error, cardTexts.unexpected) };
    }
  }

  /** Pays with the card from the form. Returns the error text if it failed. */
  async function pay(collect: () => Promise<Collected>, saveCard: boolean): Promise<string | null> {
    const { paymentIntentId } = intent.query.data ?? {};
    if (!paymentIntentId) return cardTexts.notInitialized;
    dispatch({ type: 'pay' });
    const collected = await collect();
    if ('error' in collected) {
      dispatch({ type: 'notSent' });
      return collected.error;
    }
    const open: CheckoutPayment = { paymentIntentId, userId: user.id, planId: plan._id, country, state: 'open' };
    // Stored before sending, so that the payment is found again if the page is closed.
    onChange({ payment: open });
    const outcome = await send(paymentIntentId, collected.token, saveCard);
    dispatch({ type: 'cardAnswered' });
    try {
      // Checked after a rejection too, because a lost response must not lead to a second payment.
      const unpaid = await settle(open);
      if (unpaid === null) {
        if (here.current) onReady(paymentIntentId);
        return null;
      }
      if ('status' in outcome && outcome.status === 'canceled') await intent.query.refetch();
      // If money is being refunded, the card's last error is irrelevant.
      return unpaid === refundText ? unpaid : (getOutcomeProblem(outcome) ?? unpaid);
    } catch (error) {
      lose(error);
      return null;
    }
  }

  async function applyReferral(code: string) {
    try {
      const { success, message, ...replaced } = await call('POST /plan-user/use-referral', {
        body: { planId: plan._id, referralCode: code, country, businessNumber },
      });
      queries.setQueryData(intent.key, replaced);
      if (success) onChange({ referralCode: code });
      await refreshSubscriptions();
      return { success, message: message || 'Referral code applied successfully.' };
    } catch (error) {
      return { success: false, message: getText(error, 'Invalid referral code. Please try again.') };
    }
  }

  async function create() {
    dispatch({ type: 'create' });
    if (view.path === 'covered') await wait(coveredWaitMs);
    if (here.current) onReady(payment?.state === 'paid' ? payment.paymentIntentId : null);
    dispatch({ type: 'created' });
  }

  /** For free or paid purchases: creates the listing, or waits for what the free month needs. */
  async function finish() {
    if (state.stage !== 'ready') return;
    if (view.needs === 'confirmed_address') dispatch({ type: 'awaitAddress' });
    else await create();
  }

  /** The card that the free month needed is saved. */
  async function finishWithCard() {
    const { data } = await intent.query.refetch();
    if (state.stage !== 'ready' || !here.current || !data) return;
    if (data.free?.needs === null) await create();
    else if (data.amount > 0) dispatch({ type: 'notified', notice: cardUsedText });
  }

  // The link was opened, here or on another device.
  const { emailConfirmed } = user;
  const { needs } = view;
  const refetchIntent = useEffectEvent(() => void intent.query.refetch());
  useEffect(() => {
    if (emailConfirmed && needs === 'confirmed_address') refetchIntent();
  }, [emailConfirmed, needs]);
  const goOn = useEffectEvent(() => {
    if (view.path === 'free' && needs === null) void create();
    else dispatch({ type: 'stopAwaiting' });
  });
  const isOver = state.stage === 'awaitingAddress' && needs !== 'confirmed_address' && !intent.query.isFetching;
  useEffect(() => {
    if (isOver) goOn();
  }, [isOver]);

  function retry() {
    if (payment?.state !== 'open') return void intent.query.refetch();
    dispatch({ type: 'retry' });
    void resume(payment);
  }

  return {
    ...view,
    heldReferral: intent.query.data?.heldReferral ?? null,
    awaitsAddress: state.stage === 'awaitingAddress',
    retry,
    pay,
    finish,
    finishWithCard,
    applyReferral,
  };
}
