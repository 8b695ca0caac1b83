import { subscriptionDays } from '@handwise/contract/plan-table';
import type { Listing } from '@handwise/contract/listings';
import type { changePlan, ChargeOutcome, reactivateListing } from '@handwise/contract/selling';
import { paths } from '@handwise/contract/paths';
import type { confirmPayment, Plan } from '@handwise/contract/plans';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import { ownListing } from '../../domains/selling/own/my-listings-queries.ts';
import { CardChoice } from '../../domains/payments/cards/card-choice.tsx';
import { problemOf } from '../../domains/payments/providers/card-outcome-view.ts';
import { usableCard } from '../../domains/payments/cards/card-view.ts';
import { savedCards } from '../../domains/payments/payment-queries.ts';
import { useCardAction } from '../../domains/payments/providers/use-card-action.ts';
import { PlanChoice } from '../../domains/plans/plan-choice.tsx';
import { usePlans } from '../../domains/plans/plan-queries.ts';
import { quoteOf, QuoteSummary } from '../../domains/plans/quote.tsx';
import { call } from '../../lib/api.ts';
import { ApiError } from '../../lib/api-error.ts';
import { money } from '../../lib/format.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { useSession } from '../../lib/session.ts';
import { Button, ButtonLink } from '../../ui/forms/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { NotYours } from './not-yours.tsx';
import styles from './plan-change.module.css';

/** The two pages that charge for a plan differ in their call and their words only. */
type Kind = 'update' | 'reactivate';
type Choice = { planId: string; paymentId: string | null };

const words = {
  update: {
    title: 'Change plan',
    confirm: 'Change plan',
    done: 'Plan updated successfully',
    failed: 'Failed to update plan',
  },
  reactivate: {
    title: 'Reactivate listing',
    confirm: 'Reactivate listing',
    done: 'Listing reactivated successfully',
    failed: 'Failed to reactivate listing',
  },
} as const;

const chosenNothing = 'Please select a plan and payment method';
const home = paths.ownListings;

const send = {
  update: (id: string, body: Choice) => call<typeof changePlan>({ method: 'PUT', url: '/listing/:id/plan' }, { params: { id }, body }),
  reactivate: (id: string, body: Choice) =>
    call<typeof reactivateListing>({ method: 'PUT', url: '/listing/:id/reactivate' }, { params: { id }, body }),
} satisfies Record<Kind, (id: string, body: Choice) => Promise<ChargeOutcome>>;

export const PlanChangePage = ({ kind, listingId }: { kind: Kind; listingId: string }) => (
  <div className={styles.page}>
    <Page key={listingId} kind={kind} listingId={listingId} />
  </div>
);

function Page({ kind, listingId }: { kind: Kind; listingId: string }) {
  const { user } = useSession();
  const listing = useQuery(ownListing(listingId));
  const plans = usePlans();
  // The listing as it was found first: what this page itself changes must not turn it into another page while it leaves.
  const [found, setFound] = useState<Listing>();
  if (!found && listing.data && !listing.isFetching) setFound(listing.data);

  const missing = listing.error instanceof ApiError && [400, 404].includes(listing.error.status);
  if (missing || (found && found.sellerId !== user?._id)) return <NotYours />;
  if (listing.isError || plans.isError) {
    const retry = () => void Promise.all([listing.refetch(), plans.refetch()]);
    return <ErrorDisplay error={{ message: 'Failed to load data' }} onRetry={retry} level={1} />;
  }
  if (!found || !plans.data) return <LoadingView />;
  if (kind === 'reactivate' && found.status === 'active') return <AlreadyActive id={found._id} />;
  if (kind === 'update' && found.status !== 'active') {
    return (
      <EmptyState
        title="This listing is not active"
        level={1}
        action={<ButtonLink to={paths.reactivateListing(found._id)}>Reactivate listing</ButtonLink>}
      >
        A plan can be changed while its listing is active. Reactivate the listing first.
      </EmptyState>
    );
  }
  return <Steps kind={kind} listing={found} plans={plans.data} />;
}

function AlreadyActive({ id }: { id: string }) {
  useEffect(() => toast('This listing is already active', 'info'), []);
  return <Navigate to={paths.listing(id)} replace />;
}

type StepsProps = { kind: Kind; listing: Listing; plans: readonly Plan[] };

function Steps({ kind, listing, plans }: StepsProps) {
  const current = plans.find((one) => one.planType === listing.plan.planType);
  const [planId, setPlanId] = useState(current?._id ?? '');
  const [search, setSearch] = useSearchParams();
  const step = search.get('step') === '2' ? 2 : 1;
  const [now] = useState(() => new Date());
  const [picked, setPicked] = useState<string | null>();
  const cards = useQuery(savedCards);
  const cardId = picked === undefined ? usableCard(cards.data, now) : picked;
  const quote = useQuery(quoteOf(listing._id, planId));
  // Where it costs nothing to bring the listing back as it was, that is the one thing to offer.
  const freeQuote = useQuery({ ...quoteOf(listing._id, current?._id ?? ''), enabled: kind === 'reactivate' && current !== undefined });
  const { mutation, dialog } = usePlanChange(kind, listing._id);
  const [problem, setProblem] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  const [isSavingCard, setSavingCard] = useState(false);
  const cardFormId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const shownStep = useRef(step);
  useEffect(() => {
    if (shownStep.current === step) return;
    shownStep.current = step;
    heading.current?.focus();
    scrollTo({ top: 0 });
  }, [step]);

  if (kind === 'reactivate' && freeQuote.isPending && current) return <LoadingView />;

  const chosen = plans.find((one) => one._id === planId);
  const isFree = quote.data?.amount === 0;
  const isBusy = isSavingCard || mutation.isPending;
  const fail = (text: string | undefined) => {
    setProblem(text);
    setAttempt((before) => before + 1);
  };
  function confirm(choice: Choice) {
    setProblem(undefined);
    mutation.mutate(choice, { onError: (error) => fail(error.message) });
  }
  function pay(cardId: string | null | undefined) {
    if (!chosen || (!isFree && !cardId)) fail(chosenNothing);
    else confirm({ planId: chosen._id, paymentId: isFree ? null : (cardId ?? null) });
  }
  const title = (
    <header className={styles.head}>
      <p className={styles.back}>
        <Link to={home}>My Listings</Link>
      </p>
      <h1>{words[kind].title}</h1>
      <p className={styles.listing}>
        {listing.serviceTitle} <span className="muted">Listing #{listing.listingNumber}</span>
      </p>
    </header>
  );
  const summary = <ErrorSummary message={problem} attempt={mutation.isPending ? 0 : attempt} />;

  if (kind === 'reactivate' && freeQuote.data?.amount === 0 && current) {
    return (
      <>
        {title}
        {summary}
        <section className={`card ${styles.panel} ${styles.cost}`} aria-label="Cost">
          <QuoteSummary quote={freeQuote.data} brief />
          <div>
            <Button busy={mutation.isPending} onClick={() => confirm({ planId: current._id, paymentId: null })}>
              {mutation.isPending ? 'Reactivating...' : 'Reactivate at no cost'}
            </Button>
          </div>
        </section>
      </>
    );
  }

  const refusal = quote.error instanceof ApiError && quote.error.code === 'plan_too_small' ? quote.error.message : undefined;
  const stepName = (name: string) => (
    <h2 ref={heading} tabIndex={-1} className={styles.step}>
      <span className="muted">Step {step} of 2</span> {name}
    </h2>
  );
  const price: ReactNode = quote.isError ? (
    refusal ? (
      <p className={styles.refusal} role="alert">
        {refusal}
      </p>
    ) : (
      <ErrorDisplay error={{ message: 'Failed to load data' }} onRetry={() => void quote.refetch()} />
    )
  ) : quote.data ? (
    <QuoteSummary quote={quote.data} />
  ) : (
    planId !== '' && <Skeleton width="60%" height={72} />
  );

  if (step === 1) {
    return (
      <>
        {title}
        {stepName('Choose a plan')}
        {summary}
        <PlanChoice
          plans={plans}
          country={listing.country}
          selectedId={planId || null}
          onChange={(plan) => {
            setPlanId(plan._id);
            setProblem(undefined);
          }}
          note={
            current && (
              <p>
                This listing {kind === 'update' ? 'is' : 'was'} under the <strong>{current.name}</strong> plan.
              </p>
            )
          }
        />
        <section className={`card ${styles.panel} ${styles.cost}`} aria-label="Cost" aria-live="polite">
          {price}
          <div className={styles.actions}>
            <Button disabled={!quote.data} onClick={() => (chosen ? setSearch({ step: '2' }) : fail(chosenNothing))}>
              {isFree ? 'Continue' : 'Continue to payment'}
            </Button>
            <ButtonLink kind="quiet" to={home}>
              Cancel
            </ButtonLink>
          </div>
        </section>
      </>
    );
  }
  return (
    <>
      {title}
      {stepName(isFree ? 'Confirm' : 'Pay')}
      {summary}
      <div className={styles.payment}>
        {!isFree && (
          <div className={`card ${styles.panel}`}>
            <CardChoice
              chosen={cardId}
              onChoose={setPicked}
              disabled={mutation.isPending}
              formId={cardFormId}
              emptyText={chosenNothing}
              onBusy={setSavingCard}
              onAdded={(card) => {
                setPicked(card._id);
                pay(card._id);
              }}
            />
          </div>
        )}
        <section className={`card ${styles.panel} ${styles.order}`} aria-label="Cost">
          <h3>
            {chosen?.name} plan, {subscriptionDays} days
          </h3>
          {price}
          <Button
            wide
            busy={isBusy}
            disabled={!quote.data || (!isFree && cardId === undefined)}
            // Another card is saved first; then it pays.
            {...(isFree || cardId ? { onClick: () => pay(cardId) } : { type: 'submit', form: cardFormId })}
          >
            {isBusy
              ? 'Processing payment...'
              : quote.data && !isFree
                ? `Pay ${money(quote.data.amount, quote.data.currency)}`
                : words[kind].confirm}
          </Button>
          <Button kind="quiet" wide disabled={isBusy} onClick={() => setSearch({})}>
            Back to the plans
          </Button>
        </section>
      </div>
      {dialog}
    </>
  );
}

/** Charges and changes, with what a bank may ask in between. On success it leaves for the list; errors carry what to tell people. */
function usePlanChange(kind: Kind, listingId: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { authenticate, dialog } = useCardAction();
  const mutation = useMutation({
    mutationFn: async (choice: Choice): Promise<{ text: string; kind: 'success' | 'info' }> => {
      const outcome = await send[kind](listingId, choice);
      const { clientSecret, paymentIntentId } = outcome;
      if (outcome.status === 'processing') return { text: outcome.message, kind: 'info' };
      if (outcome.status === 'done' || !clientSecret || !paymentIntentId) return { text: words[kind].done, kind: 'success' };
      const problem = problemOf(await authenticate(clientSecret));
      if (problem !== null) throw new Error(problem);
      const paid = await call<typeof confirmPayment>({ method: 'POST', url: '/plan-user/confirm-payment' }, { body: { paymentIntentId } });
      return paid.refunded ? { text: paid.message, kind: 'info' } : { text: words[kind].done, kind: 'success' };
    },
    onSuccess: async ({ text, kind }) => {
      toast(text, kind);
      await navigate(home);
    },
    onError: () => toast(words[kind].failed, 'error'),
    onSettled: () => queries.invalidateQueries(),
  });
  return { mutation, dialog };
}
