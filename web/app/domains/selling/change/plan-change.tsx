import type { OutputOf } from '@handwise/contract/calls';
import type { Listing } from '@handwise/contract/listings/calls';
import { paths } from '@handwise/contract/paths';
import { useQuery, queryOptions } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode, useId, useRef } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { ApiError } from '../../../lib/api-error.ts';
import { LoadingView } from '../../../lib/loading-view.tsx';
import { useSession } from '../../../lib/session/session.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { ButtonLink, Button } from '../../../ui/forms/button.tsx';
import { usePlans } from '../../plans/plan-queries.ts';
import { ownListingQuery } from '../own/my-listings-queries.ts';
import { NotYours, OwnListingPage, OwnListingHead } from '../own/own-listing-head.tsx';
import { describePlanFailure, type Kind, type PlanChangeChoice, usePlanChange, words } from './use-plan-change.ts';
import { money } from '@handwise/contract/money';
import { subscriptionDays } from '@handwise/contract/plans/table';
import type { Plan } from '@handwise/contract/plans/calls';
import { getCurrency } from '../../../lib/format.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { CardChoice } from '../../payments/cards/card-choice.tsx';
import { findUsableCard } from '../../payments/cards/card-view.ts';
import { savedCards } from '../../payments/payment-queries.ts';
import { FreeMonthNeeds } from '../../plans/free-month-needs.tsx';
import { PlanChoice } from '../../plans/plan-choice.tsx';
import styles from './plan-change.module.css';
import { formatDate } from '@handwise/contract/dates';
import { call } from '../../../lib/api.ts';

/** A page that charges for a plan of the member's own listing. */
export const PlanChange = ({ kind, listingId }: { kind: Kind; listingId: string }) => (
  <OwnListingPage>
    <Page key={listingId} kind={kind} listingId={listingId} />
  </OwnListingPage>
);

function Page({ kind, listingId }: { kind: Kind; listingId: string }) {
  const { user } = useSession();
  const listing = useQuery(ownListingQuery(listingId));
  const plans = usePlans();
  // The listing as first loaded, so that the page's own change does not re-render it while it leaves.
  const [found, setFound] = useState<Listing>();
  if (!found && listing.isSuccess && !listing.isFetching) setFound(listing.data);

  const missing = listing.error instanceof ApiError && [400, 404].includes(listing.error.status);
  if (missing || (found && found.sellerId !== user?._id)) return <NotYours />;
  // What has been loaded stays in place, with what is typed and asked below it.
  if ((listing.isError && !found) || (plans.isError && !plans.data)) {
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
  return <PlanChangeSteps kind={kind} listing={found} plans={plans.data} />;
}

function AlreadyActive({ id }: { id: string }) {
  useEffect(() => toast('This listing is already active', 'info'), []);
  return <Navigate to={paths.listing(id)} replace />;
}

const chosenNothing = 'Please select a plan and payment method';

type StepsProps = { kind: Kind; listing: Listing; plans: readonly Plan[] };

/** Choosing a plan, then paying for it; a free change applies at once. */
function PlanChangeSteps({ kind, listing, plans }: StepsProps) {
  const current = plans.find((one) => one.planType === listing.plan.planType);
  const [planId, setPlanId] = useState(current?._id ?? '');
  const [search, setSearch] = useSearchParams();
  const step = search.get('step') === '2' ? 2 : 1;
  const [now] = useState(() => new Date());
  const [picked, setPicked] = useState<string | null>();
  const cards = useQuery(savedCards);
  const cardId = picked === undefined ? findUsableCard(cards.data, now) : picked;
  const planPrice = useQuery(planPriceQuery(listing._id, planId));
  // If reactivating the listing on its plan is free, only that is offered.
  const freePrice = useQuery({
    ...planPriceQuery(listing._id, current?._id ?? ''),
    enabled: kind === 'reactivate' && current !== undefined,
  });
  const { mutation, dialog } = usePlanChange(kind, listing._id);
  const [problem, setProblem] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  const [renews, setRenews] = useState(false);
  const [isCollecting, setCollecting] = useState(false);
  const cardFormId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const shownStep = useRef(step);
  useEffect(() => {
    if (shownStep.current === step) return;
    shownStep.current = step;
    heading.current?.focus();
    scrollTo({ top: 0 });
  }, [step]);

  if (kind === 'reactivate' && freePrice.isPending && current) return <LoadingView />;
  // A plan that can't be kept is a client error. Anything else says nothing about what it costs.
  if (
    kind === 'reactivate' &&
    freePrice.isError &&
    !freePrice.data &&
    !(freePrice.error instanceof ApiError && freePrice.error.status >= 400 && freePrice.error.status < 500)
  )
    return <ErrorDisplay error={freePrice.error} onRetry={() => void freePrice.refetch()} level={1} />;

  const chosen = plans.find((one) => one._id === planId);
  const isFree = planPrice.data?.amount === 0;
  const needs = planPrice.data?.free?.needs ?? null;
  const isBusy = isCollecting || mutation.isPending;
  const fail = (text: string | undefined) => {
    setProblem(text);
    setAttempt((before) => before + 1);
  };
  function confirm(choice: PlanChangeChoice) {
    setProblem(undefined);
    const paidWith = 'paymentId' in choice ? choice.paymentId : null;
    const renewal = planPrice.data?.renewal;
    const renewWith = renews && renewal ? { cardId: paidWith ?? renewal.cardId, amount: renewal.amount } : null;
    mutation.mutate({ choice, renewWith }, { onError: (error) => fail(describePlanFailure(kind, error)) });
  }
  function pay() {
    if (!chosen || (!isFree && !cardId)) fail(chosenNothing);
    else confirm({ planId: chosen._id, paymentId: isFree ? null : (cardId ?? null) });
  }
  const title = <OwnListingHead title={words[kind].title} listing={listing} />;
  const summary = <ErrorSummary message={problem} attempt={mutation.isPending ? 0 : attempt} />;

  if (kind === 'reactivate' && freePrice.data?.amount === 0 && current) {
    return (
      <>
        {title}
        {summary}
        <section className={`card ${styles.panel} ${styles.cost}`} aria-label="Cost">
          <PriceSummary price={freePrice.data} brief={freePrice.data.free === null} />
          {freePrice.data.free?.needs ? (
            <FreeMonthNeeds needs={freePrice.data.free.needs} plan={current} onMet={() => void freePrice.refetch()} />
          ) : (
            <div>
              <Button busy={mutation.isPending} onClick={() => confirm({ planId: current._id, paymentId: null })}>
                {mutation.isPending ? 'Reactivating...' : 'Reactivate at no cost'}
              </Button>
            </div>
          )}
        </section>
      </>
    );
  }

  const refusal =
    planPrice.error instanceof ApiError
      ? planPrice.error.code === 'plan_too_small'
        ? planPrice.error.message
        : // A trade or country that is closed.
          planPrice.error.fieldErrors.find(({ field }) => field === 'planId')?.message
      : undefined;
  const stepName = (name: string) => (
    <h2 ref={heading} tabIndex={-1} className={styles.step}>
      <span className="muted">Step {step} of 2</span> {name}
    </h2>
  );
  const price: ReactNode = planPrice.isError ? (
    refusal ? (
      <p className={styles.refusal} role="alert">
        {refusal}
      </p>
    ) : (
      <ErrorDisplay error={{ message: 'Failed to load data' }} onRetry={() => void planPrice.refetch()} />
    )
  ) : planPrice.data ? (
    <PriceSummary price={planPrice.data} />
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
            <Button disabled={!planPrice.data} onClick={() => (chosen ? setSearch({ step: '2' }) : fail(chosenNothing))}>
              {isFree ? 'Continue' : 'Continue to payment'}
            </Button>
            <ButtonLink kind="quiet" to={paths.ownListings}>
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
      {isFree && summary}
      <div className={styles.payment}>
        {!isFree && (
          <div className={`card ${styles.panel}`}>
            {summary}
            <CardChoice
              chosen={cardId}
              onChoose={setPicked}
              disabled={mutation.isPending}
              amount={planPrice.data?.amount ?? 0}
              currency={planPrice.data?.currency ?? getCurrency(listing.country)}
              formId={cardFormId}
              emptyText={chosenNothing}
              onBusy={setCollecting}
              onCollected={(card) => chosen && confirm({ planId: chosen._id, ...card })}
            />
          </div>
        )}
        <section className={`card ${styles.panel} ${styles.order}`} aria-label="Cost">
          <h3>
            {chosen?.name} plan, {subscriptionDays} days
          </h3>
          {price}
          {needs && chosen && <FreeMonthNeeds needs={needs} plan={chosen} onMet={() => void planPrice.refetch()} />}
          {planPrice.data?.renewal && (
            <label className={styles.renewal}>
              <input type="checkbox" checked={renews} disabled={isBusy} onChange={({ target }) => setRenews(target.checked)} />
              <span>
                Renew the new plan every {subscriptionDays} days for {money(planPrice.data.renewal.amount, planPrice.data.renewal.currency)}
              </span>
            </label>
          )}
          <Button
            wide
            busy={isBusy}
            disabled={!planPrice.data || needs !== null || (!isFree && cardId === undefined)}
            // The form of a new card collects it, then pays.
            {...(isFree || cardId ? { onClick: pay } : { type: 'submit', form: cardFormId })}
          >
            {isBusy
              ? 'Processing payment...'
              : planPrice.data && !isFree
                ? `Pay ${money(planPrice.data.amount, planPrice.data.currency)}`
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

/** The current price of a plan for a listing. It changes daily, so it is always reloaded. */
const planPriceQuery = (listingId: string, planId: string) =>
  queryOptions({
    queryKey: ['plan-price', listingId, planId],
    queryFn: ({ signal }) => call('GET /plan-user/quote', { query: { listingId, planId } }, signal),
    staleTime: 0,
    enabled: planId !== '',
  });

type PlanPrice = OutputOf<'GET /plan-user/quote'>;

/** The amount, its reason and the end date. `brief` omits the end if the reason names it. */
const PriceSummary = ({
  price: { amount, currency, reason, endDate, timeZone, renewal },
  brief = false,
}: {
  price: PlanPrice;
  brief?: boolean;
}) => (
  <div className={styles.price}>
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
        Runs until <strong>{formatDate(endDate, timeZone)}</strong>, and does not renew by itself.
        {renewal && ' Your renewal ends with this change; you can switch it on again at the new price when you confirm.'}
      </p>
    )}
  </div>
);
