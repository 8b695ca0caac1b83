import type { CountryCode } from '@handwise/contract/markets';
import { type Plan, type Subscription, confirmPayment, createIntent, useReferral as enterReferral } from '@handwise/contract/plans';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { subscriptionsKey } from './plan-queries.ts';

/** A payment that was begun. `open`: the provider may have it or not. `paid`: it bought the plan. */
export type CheckoutPayment = { paymentIntentId: string; userId: string; planId: string; country: CountryCode; state: 'open' | 'paid' };

type CheckoutOptions = {
  user: { id: string };
  plan: Plan;
  country: CountryCode;
  cover: Subscription | undefined;
  payment: CheckoutPayment | null;
  onPayment: (payment: CheckoutPayment | null) => void;
  freeFirstMonth: boolean;
  onReferralCode: (code: string) => void;
  onReady: (paymentId: string | null) => void;
};

type CardOutcome = { status: string; id: string } | { error: string };
type Phase = 'Preparing payment...' | 'Processing payment...' | 'Confirming payment...' | 'Creating listing...';

const askAgainMs = 3000;
const coveredWaitMs = 1000;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : null);
const textOf = (error: unknown, fallback: string) =>
  error instanceof ApiError && error.status > 0 && error.code !== 'internal' ? error.message : fallback;

const intentText = 'Unable to process payment. Please try again.';
const refundText = 'This payment was refunded, because your subscription covers this listing already.';
const verifyText = 'Payment verification failed. Please contact support.';

/** Begins the payment, where there is something to pay, and carries it through to the subscription. */
export function useCheckout({ user, plan, country, cover, payment, onPayment, freeFirstMonth, onReferralCode, onReady }: CheckoutOptions) {
  const queries = useQueryClient();
  const [phase, setPhase] = useState<Phase | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const [bankWaits, setBankWaits] = useState(false);
  // An open payment of an earlier visit is settled before anything else can be paid.
  const [resuming, setResuming] = useState(payment?.state === 'open');
  // Set where it could not be found out whether an open payment went through.
  const [unsettled, setUnsettled] = useState<string | null>(null);
  const here = useRef(true);

  const refreshSubscriptions = () => queries.invalidateQueries({ queryKey: subscriptionsKey(user.id) });

  const isPaid = payment?.state === 'paid';
  const isOpen = payment?.state === 'open';
  const nothingToPay = cover !== undefined || isPaid || freeFirstMonth;
  const intentKey = ['payment-intent', user.id, plan._id, country];
  const intent = useQuery({
    queryKey: intentKey,
    queryFn: async ({ signal }) => {
      try {
        return await call(createIntent, { body: { planId: plan._id, country } }, signal);
      } catch (error) {
        // Bought meanwhile, perhaps in another window: what covers the listing is looked up anew.
        if (codeOf(error) === 'already_covered') void refreshSubscriptions();
        throw error;
      }
    },
    enabled: !nothingToPay && !isOpen,
    retry: false,
    // Each visit of this step asks anew: what was open may have been paid or refunded meanwhile.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    // The bank of an earlier attempt has not decided.
    refetchInterval: ({ state }) => (codeOf(state.error) === 'payment_processing' ? askAgainMs : false),
  });
  const coveredMeanwhile = codeOf(intent.error) === 'already_covered';
  const bankDecides = codeOf(intent.error) === 'payment_processing';

  const path = isPaid
    ? ('paid' as const)
    : cover || coveredMeanwhile
      ? ('covered' as const)
      : freeFirstMonth || intent.data?.amount === 0
        ? ('free' as const)
        : ('card' as const);

  /** Asks until the bank has decided. Gives the problem where nothing was bought, null where it is paid. Throws where it cannot be known. */
  async function settle(open: CheckoutPayment): Promise<string | null> {
    for (;;) {
      try {
        const { subscription } = await call(confirmPayment, { body: { paymentIntentId: open.paymentIntentId } });
        onPayment(subscription ? { ...open, state: 'paid' } : null);
        await refreshSubscriptions();
        setBankWaits(false);
        if (subscription) return null;
        setNotice(refundText);
        return refundText;
      } catch (error) {
        const code = codeOf(error);
        if (code === 'payment_processing') {
          // Left meanwhile: the payment stays open in the draft, and is asked for again when one comes back.
          if (!here.current) throw error;
          setBankWaits(true);
          await wait(askAgainMs);
          continue;
        }
        setBankWaits(false);
        if (code !== 'payment_incomplete' && code !== 'payment_not_found') throw error;
        onPayment(null);
        return textOf(error, intentText);
      }
    }
  }

  async function resume(open: CheckoutPayment) {
    try {
      // An attempt that came to nothing needs no words: one can simply pay.
      await settle(open);
    } catch (error) {
      setUnsettled(textOf(error, verifyText));
    }
    setResuming(false);
  }

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

  /** Pays by card. Gives what to tell people where it failed. */
  async function pay(confirmCard: (clientSecret: string) => Promise<CardOutcome>): Promise<string | null> {
    const { clientSecret, paymentIntentId } = intent.data ?? {};
    if (!clientSecret || !paymentIntentId) return 'Payment system is not initialized. Please try again or contact support.';
    const open: CheckoutPayment = { paymentIntentId, userId: user.id, planId: plan._id, country, state: 'open' };
    // Before the card is sent: whatever happens to this page, the payment is found again.
    onPayment(open);
    setPhase('Processing payment...');
    try {
      const outcome = await confirmCard(clientSecret).catch(() => ({ error: 'An unexpected error occurred. Please try again.' }));
      const refusal = problemOf(outcome);
      setPhase('Confirming payment...');
      // Also after a refusal: an answer that got lost on its way must not lead to a second payment.
      const unpaid = await settle(open);
      if (unpaid !== null) {
        if ('status' in outcome && outcome.status === 'canceled') await intent.refetch();
        return refusal ?? unpaid;
      }
      if (here.current) onReady(paymentIntentId);
      return null;
    } catch (error) {
      setUnsettled(textOf(error, verifyText));
      return null;
    } finally {
      setPhase(null);
    }
  }

  async function applyReferral(code: string) {
    try {
      const { success, message, ...replaced } = await call(enterReferral, { body: { planId: plan._id, referralCode: code, country } });
      queries.setQueryData(intentKey, replaced);
      if (success) onReferralCode(code);
      await refreshSubscriptions();
      return { success, message: message || 'Referral code applied successfully.' };
    } catch (error) {
      return { success: false, message: textOf(error, 'Invalid referral code. Please try again.') };
    }
  }

  /** For what costs nothing, or is paid: on to the listing. */
  async function finish() {
    if (phase) return;
    setPhase('Creating listing...');
    if (path === 'covered') await wait(coveredWaitMs);
    if (here.current) onReady(isPaid ? payment.paymentIntentId : null);
    setPhase(null);
  }

  const intentProblem = intent.error && !intent.data && !coveredMeanwhile && !bankDecides ? textOf(intent.error, intentText) : null;
  const preparing = path === 'card' && !intent.data && !intentProblem;
  const shownPhase: Phase | null = phase ?? (resuming || bankDecides ? 'Confirming payment...' : preparing ? 'Preparing payment...' : null);
  return {
    path,
    /** In cents, null until the server has said. */
    total: path === 'card' ? (intent.data?.amount ?? null) : path === 'paid' ? Math.round(plan.planPrice * 100) : 0,
    phase: shownPhase,
    /** The bank has not decided yet: it may take minutes. */
    bankWaits: bankWaits || bankDecides,
    /** No payment can begin: an earlier one is being looked for, or the provider does not answer. */
    mustWait: path === 'card' && (resuming || unsettled !== null || bankDecides || intentProblem !== null),
    trouble: unsettled ?? intentProblem,
    notice: notice ?? (coveredMeanwhile && !cover ? (intent.error?.message ?? null) : null),
    retry() {
      if (payment?.state !== 'open') return void intent.refetch();
      setResuming(true);
      setUnsettled(null);
      void resume(payment);
    },
    pay,
    finish,
    applyReferral,
  };
}

function problemOf(outcome: CardOutcome): string | null {
  if ('error' in outcome) return outcome.error || 'Payment failed. Please try a different card or try again later.';
  if (outcome.status === 'succeeded' || outcome.status === 'processing') return null;
  return `Payment status: ${outcome.status}. Please try again or contact support.`;
}
