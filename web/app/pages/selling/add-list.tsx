import { fromPrice, subscriptionDays } from '@handwise/contract/plan-table';
import { paths } from '@handwise/contract/paths';
import type { CountryCode } from '@handwise/contract/markets';
import { findRegion } from '@handwise/contract/places';
import type { SessionUser } from '@handwise/contract/accounts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { BusinessStep } from '../../domains/selling/wizard/business-step.tsx';
import { creationProblem } from '../../domains/selling/wizard/creation-problem.ts';
import { Creating } from '../../domains/selling/wizard/creating.tsx';
import { DetailsStep } from '../../domains/selling/wizard/details-step.tsx';
import { useLastBusiness } from '../../domains/selling/wizard/last-business.ts';
import { ListingLine } from '../../domains/selling/wizard/listing-line.tsx';
import { ListingPreview } from '../../domains/selling/wizard/listing-preview.tsx';
import { publish } from '../../domains/selling/wizard/publish.ts';
import { useDraftFiles } from '../../domains/selling/wizard/use-draft-files.ts';
import { useWizard } from '../../domains/selling/wizard/use-wizard.ts';
import { newDraft, paymentFor, readDraft } from '../../domains/selling/wizard/wizard-draft.ts';
import { StepActions, WizardFrame, WizardProgress } from '../../domains/selling/wizard/wizard-frame.tsx';
import { Checkout } from '../../domains/plans/checkout.tsx';
import { freeSlot, usePlans, useSubscriptions } from '../../domains/plans/plan-queries.ts';
import { ChosenPlan, PlansProblem, PlanStep } from '../../domains/plans/plan-step.tsx';
import { LoadingView } from '../../lib/loading-view.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { useRootData } from '../../lib/root-data.ts';
import { useSession } from '../../lib/session.ts';
import { Button, ButtonLink } from '../../ui/forms/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { SuccessCard } from '../../ui/feedback/success-card.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import type { Route } from './+types/add-list';
import styles from './add-list.module.css';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'List your business',
    description: `Describe your service, choose a plan from ${fromPrice} for ${subscriptionDays} days, and be found by people near you. No commission.`,
    path: paths.addListing,
  });

export default function AddListPage() {
  const { user, initialized } = useSession();
  const { market } = useRootData();
  // What the browser keeps decides where the wizard begins: the server shows what most visitors will see.
  if (!initialized) return <Waiting />;
  return <Entrance user={user} market={market} />;
}

const businessTitle = 'Tell us about your business';
const businessIntro = 'This is what people see beside each of your listings.';

const Waiting = () => (
  <>
    <div className="visitor-only">
      <WizardFrame step="business" title={businessTitle} intro={businessIntro} aside={<div className={styles.beside} />}>
        <div className={styles.waiting} role="status">
          <span className="visually-hidden">Loading content...</span>
          {[104, 76, 76, 76, 76, 180].map((height, index) => (
            <Skeleton key={index} height={height} radius="var(--radius-sm)" />
          ))}
        </div>
      </WizardFrame>
    </div>
    <div className="member-only">
      <LoadingView />
    </div>
  </>
);

type EntranceProps = { user: SessionUser | null; market: CountryCode | null };

/** Waits for what decides the first step: what the user has bought, and the business that is known of them. */
function Entrance({ user, market }: EntranceProps) {
  const subscriptions = useSubscriptions(user?._id);
  const [isNew] = useState(() => readDraft(market) === null);
  const [entered, setEntered] = useState(false);
  const isCovered = freeSlot(subscriptions.data?.subscriptions ?? [], market ?? '') !== undefined;
  const business = useLastBusiness(user?._id, isNew && isCovered && !entered);
  if (!entered) {
    if (subscriptions.isLoading || business.isLoading) return <LoadingView />;
    // Once in, the wizard stays, whatever is bought or loaded meanwhile.
    setEntered(true);
  }
  return <Wizard user={user} market={market} subscriptions={subscriptions} known={business.data ?? null} />;
}

type WizardProps = EntranceProps & {
  subscriptions: ReturnType<typeof useSubscriptions>;
  known: ReturnType<typeof useLastBusiness>['data'] | null;
};

function Wizard({ user, market, subscriptions, known }: WizardProps) {
  const plans = usePlans();
  const queries = useQueryClient();
  const [search] = useSearchParams();
  const bought = subscriptions.data?.subscriptions ?? [];
  const askedPlan = plans.data?.find((plan) => plan.planType === search.get('plan'));
  const wizard = useWizard({
    start: () => readDraft(market) ?? newDraft(market, known ?? {}),
    market,
    signedIn: user !== null,
    coveredIn: (country) => freeSlot(bought, country) !== undefined,
    askedPlanId: askedPlan?._id ?? null,
  });
  const { draft, update, step } = wizard;
  const { files, changePhotos, changeLogo, clear } = useDraftFiles(draft, update, known?.logo ?? null);
  const [creating, setCreating] = useState<{ share: number } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  if (!files) return <LoadingView />;

  const country = draft.business.country || (market ?? 'NZ');
  const slot = freeSlot(bought, draft.business.country);
  // The new listing ends with it by the clocks of its own region.
  const cover = slot && { ...slot, timeZone: findRegion(draft.business.region)?.timeZone ?? slot.timeZone };
  const payment = paymentFor(draft, { userId: user?._id, country });
  const paid = payment?.state === 'paid' ? payment : null;
  // What is paid for comes first, then what costs nothing; only then what was chosen.
  const planId = paid?.planId ?? cover?.plan._id ?? draft.planId ?? askedPlan?._id ?? null;
  const plan = plans.data?.find((one) => one._id === planId);
  const { photos, logo } = files;

  async function create(paymentId: string | null) {
    if (!plan || creating) return;
    setFailure(null);
    setCreating({ share: 0 });
    scrollTo({ top: 0 });
    try {
      const shown = photos.slice(0, plan.photos);
      const listing = await publish({ draft, photos: shown, logo, planId: plan._id, paymentId, covered: cover !== undefined }, (share) =>
        setCreating({ share }),
      );
      toast('Listing created successfully!');
      clear();
      await wizard.complete(listing);
      if (logo) changeLogo(logo);
    } catch (error) {
      const isFree = paymentId === null && cover === undefined;
      const problem = creationProblem(error);
      setFailure(problem.text ?? (isFree ? freeText : 'Failed to create your listing. Please try again.'));
      toast(problem.text ?? 'Failed to create listing. Please try again.', 'error');
      if (problem.forgetsPayment) update({ payment: null });
      if (problem.needsNewId) update({ submissionId: crypto.randomUUID() });
      await wizard.goTo('payment', { replace: true });
    }
    setCreating(null);
    await queries.invalidateQueries();
  }

  function startFresh() {
    clear();
    setFailure(null);
    wizard.startFresh();
  }

  if (creating) {
    return (
      <WizardFrame step="creating" title="Creating Your Listing" centred>
        <Creating share={creating.share} files={photos.length + (logo ? 1 : 0)} />
      </WizardFrame>
    );
  }

  const preview = <ListingPreview draft={draft} photos={photos} logo={logo} plan={plan?.planType ?? 'basic'} />;
  const fresh = draft.begun ? startFresh : undefined;
  const actionsOf = (next: React.ReactNode, busy = false) => (
    <StepActions onBack={busy ? null : wizard.back} goingBack={wizard.goingBack}>
      {next}
    </StepActions>
  );

  switch (step) {
    case 'business':
      return (
        <WizardFrame step={step} title={businessTitle} intro={businessIntro} aside={preview} onStartFresh={fresh}>
          <BusinessStep
            key={draft.submissionId}
            draft={draft}
            update={update}
            market={market}
            logo={logo}
            onLogo={changeLogo}
            onDone={wizard.next}
          />
        </WizardFrame>
      );
    case 'plan':
      return (
        <WizardFrame
          step={step}
          title={cover || paid ? 'Your plan' : 'Choose a plan'}
          intro={cover || paid ? undefined : 'You can look at everything before you pay. Plans can be changed at any time.'}
          wide
          onStartFresh={fresh}
        >
          <PlanStep
            plans={plans}
            country={country}
            selectedId={planId}
            cover={paid ? undefined : cover}
            paid={paid !== null}
            others={bought.filter((one) => one.isActive)}
            onChange={(chosen) => update({ planId: chosen._id })}
            onNext={() => {
              if (planId && !draft.planId) update({ planId });
              wizard.next();
            }}
            onBack={() => void wizard.goTo('business')}
            actions={actionsOf}
          />
        </WizardFrame>
      );
    case 'details':
      return (
        <WizardFrame step={step} title="Describe your listing" aside={preview} onStartFresh={fresh}>
          {plans.isError ? (
            <PlansProblem error={plans.error} onBack={() => void wizard.goTo('business')} onRetry={() => void plans.refetch()} />
          ) : (
            <DetailsStep
              key={draft.submissionId}
              draft={draft}
              update={update}
              photos={photos}
              onPhotos={changePhotos}
              maxPhotos={plan?.photos ?? 5}
              plan={plan && <ChosenPlan plan={plan} onChange={cover || paid ? undefined : () => void wizard.goTo('plan')} />}
              onBack={wizard.back}
              onDone={wizard.next}
            />
          )}
        </WizardFrame>
      );
    case 'sign-in':
      return (
        <WizardFrame
          step={step}
          title="Sign in to publish"
          intro="Your listing is saved. After signing in or signing up you come back here, and everything is as you left it."
          aside={preview}
          onStartFresh={fresh}
        >
          <div className={`card ${styles.signIn}`}>
            <ButtonLink to={paths.register} replace state={{ returnTo: paths.addListing }} size="lg" wide>
              Create an account
            </ButtonLink>
            <ButtonLink to={paths.login} replace state={{ returnTo: paths.addListing }} kind="secondary" size="lg" wide>
              Sign in
            </ButtonLink>
          </div>
          {actionsOf(null)}
        </WizardFrame>
      );
    case 'payment':
      return (
        <WizardFrame step={step} title={cover || paid ? 'Publish your listing' : 'Payment'} aside={preview} onStartFresh={fresh}>
          {plans.isError && (
            <PlansProblem error={plans.error} onBack={() => void wizard.goTo('details')} onRetry={() => void plans.refetch()} />
          )}
          {plans.data && !plan && (
            <Notice>
              <p>Please select a plan first</p>
              <Button kind="secondary" onClick={() => void wizard.goTo('plan')}>
                Choose a plan
              </Button>
            </Notice>
          )}
          {plan && user && (
            <Checkout
              key={`${user._id} ${plan._id} ${country}`}
              purchase={{
                user: { id: user._id, name: user.fullName || user.name, email: user.email },
                plan,
                country,
                cover,
                payment,
                freeFirstMonth: subscriptions.data?.freeFirstMonth ?? false,
                referralCode: draft.referralCode,
              }}
              onChange={update}
              failure={failure}
              onReady={(paymentId) => void create(paymentId)}
              onChangePlan={() => void wizard.goTo('plan')}
              actions={actionsOf}
            >
              <ListingLine draft={draft} photos={photos.slice(0, plan.photos)} />
            </Checkout>
          )}
        </WizardFrame>
      );
    case 'creating':
    case 'done':
      return <Published listing={wizard.published} />;
  }
}

const freeText = 'An unexpected error occurred with the free listing. Please try again.';

function Published({ listing }: { listing: { id: string; title: string } | undefined }) {
  useEffect(() => document.getElementById('content')?.focus({ preventScroll: true }), []);
  return (
    <>
      <WizardProgress step="done" />
      <SuccessCard title="Your listing is live" intro={listing ? `People can find “${listing.title}” in the search now.` : ''}>
        {listing && (
          <ButtonLink to={paths.listing(listing.id)} wide>
            See your listing
          </ButtonLink>
        )}
        <ButtonLink to={paths.ownListings} kind="secondary" wide>
          My Listings
        </ButtonLink>
        <ButtonLink to={paths.referralDashboard} kind="secondary" wide>
          Referral Dashboard
        </ButtonLink>
        <ButtonLink to={paths.browse} kind="secondary" wide>
          Go to Homepage
        </ButtonLink>
      </SuccessCard>
    </>
  );
}
