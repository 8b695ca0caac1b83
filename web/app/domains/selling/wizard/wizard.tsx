import type { SessionUser } from '@handwise/contract/accounts/calls';
import type { CountryCode } from '@handwise/contract/markets';
import { maxPhotos } from '@handwise/contract/selling/form-rules';
import { findRegion } from '@handwise/contract/places/regions';
import { type ReactNode, Suspense, lazy, useCallback, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { LoadingView } from '../../../lib/loading-view.tsx';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { findFreeSlot, usePlans, type useSubscriptions } from '../../plans/plan-queries.ts';
import { BusinessStep, businessWords } from './business-step.tsx';
import { Creating, Published } from './published.tsx';
import type { useLastBusiness } from './last-business.ts';
import { ListingLine, ListingPreview } from './listing-preview.tsx';
import { useCreation } from './publish.ts';
import { useDraftFiles } from './use-draft-files.ts';
import { type RefusedFiles, usePhotoCheck } from './use-photo-check.ts';
import { useWizard } from './use-wizard.ts';
import { loadChecks, createDraft, findPayment } from './wizard-draft.ts';
import type { Draft } from './wizard-checks.ts';
import { loadStepLater, StepActions, WizardFrame } from './wizard-frame.tsx';
import type { Step } from './wizard-steps.ts';

// Each later step loads at the first interaction with the step before it.
const loadPlans = () => import('../../plans/plan-step.tsx');
const loadDetails = () => Promise.all([import('./details-step.tsx'), loadChecks()]);
const loadSignIn = () => import('./sign-in-step.tsx');
const loadCheckout = () => import('../../plans/checkout.tsx');
const PlanStep = loadStepLater(async () => (await loadPlans()).PlanStep);
const PlansProblem = loadStepLater(async () => (await loadPlans()).PlansProblem);
const ChosenPlan = loadStepLater(async () => (await loadPlans()).ChosenPlan);
const DetailsStep = loadStepLater(async () => (await loadDetails())[0].DetailsStep);
const SignInStep = loadStepLater(async () => (await loadSignIn()).SignInStep);
const Checkout = loadStepLater(async () => (await loadCheckout()).Checkout);

const activities = ['pointerdown', 'keydown', 'focusin'];

/** Loads the next step's script at the first interaction with this one. A failure is shown by the step itself. */
function usePreload(step: Step, signedIn: boolean) {
  useEffect(() => {
    const loads: Partial<Record<Step, () => Promise<unknown>[]>> = {
      business: () => [loadChecks(), loadPlans()],
      plan: () => [loadDetails()],
      details: () => [signedIn ? loadCheckout() : loadSignIn()],
      'sign-in': () => [loadCheckout()],
    };
    const load = () => void setTimeout(() => void Promise.allSettled(loads[step]?.() ?? []));
    const options = { capture: true, passive: true, once: true };
    for (const type of activities) addEventListener(type, load, options);
    return () => {
      for (const type of activities) removeEventListener(type, load, options);
    };
  }, [step, signedIn]);
}

type WizardProps = {
  user: SessionUser | null;
  market: CountryCode | null;
  subscriptions: ReturnType<typeof useSubscriptions>;
  /** The draft stored in the browser. */
  stored: Draft | null;
  /** Parts of it could not be read. */
  isDamaged: boolean;
  /** The business of the last listing, for a new draft. */
  lastBusiness: ReturnType<typeof useLastBusiness>['data'] | null;
};

// Only needed after a plan was paid for.
const SaveCardOffer = lazy(async () => ({ default: (await import('../../plans/save-card-offer.tsx')).SaveCardOffer }));
const NewPlanRenewal = lazy(async () => ({ default: (await import('../../plans/new-plan-renewal.tsx')).NewPlanRenewal }));

/** The five steps to a listing, with its draft. */
export function Wizard({ user, market, subscriptions, stored, isDamaged, lastBusiness }: WizardProps) {
  const plans = usePlans();
  const [search] = useSearchParams();
  const bought = subscriptions.data?.subscriptions ?? [];
  const freeFirstMonth = subscriptions.data?.freeFirstMonth ?? false;
  const hasCredit = (subscriptions.data?.credits.length ?? 0) > 0;
  const requestedPlan = plans.data?.find((plan) => plan.planType === search.get('plan'));
  const wizard = useWizard({
    start: () => stored ?? createDraft(market, lastBusiness ?? {}),
    // A published business has passed the server's checks, but may be in another country or, if old, lack an email.
    startsWithBusiness: Boolean(lastBusiness?.business.businessEmail) && (!market || market === lastBusiness?.business.country),
    market,
    signedIn: user !== null,
    coveredIn: (country) => findFreeSlot(bought, country) !== undefined,
    requestedPlanId: requestedPlan?._id ?? null,
  });
  const { draft, update, step } = wizard;
  const { files, changePhotos, changeLogo, clear } = useDraftFiles(draft, update, lastBusiness?.logo ?? null);
  usePreload(step, user !== null);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const changes = useRef({ changePhotos, changeLogo });
  useEffect(() => {
    changes.current = { changePhotos, changeLogo };
  });
  const removeRefused = useCallback(({ photoIds, isLogoRefused, messages }: RefusedFiles) => {
    changes.current.changePhotos((now) => now.filter(({ id }) => !photoIds.has(id)));
    if (isLogoRefused) changes.current.changeLogo(null);
    setRefused(messages);
  }, []);
  const { isChecking: isWaiting } = usePhotoCheck({ files, isMember: user !== null, onRefused: removeRefused });
  const creation = useCreation({ wizard, clearFiles: clear, changeLogo, onRefused: removeRefused });
  if (!files) return <LoadingView />;

  const country = draft.business.country || (market ?? 'NZ');
  const slot = findFreeSlot(bought, draft.business.country);
  // The new listing ends with the subscription, in its own region's time zone.
  const cover = slot && { ...slot, timeZone: findRegion(draft.business.region)?.timeZone ?? slot.timeZone };
  const payment = findPayment(draft, { userId: user?._id, country });
  const paid = payment?.state === 'paid' ? payment : null;
  const isChecking = isWaiting && !paid;
  // A paid plan comes first, then a covering subscription, then the choice.
  const planId = paid?.planId ?? cover?.plan._id ?? draft.planId ?? requestedPlan?._id ?? null;
  const plan = plans.data?.find((one) => one._id === planId);
  const { photos, logo } = files;

  function startFresh() {
    clear();
    setRefused([]);
    creation.forgetFailure();
    wizard.startFresh();
  }

  if (creation.share !== null) {
    return (
      <WizardFrame step="creating" title="Creating Your Listing" centred>
        <Creating share={creation.share} files={photos.length + (logo ? 1 : 0)} />
      </WizardFrame>
    );
  }

  const damaged = isDamaged && draft.submissionId === stored?.submissionId && (
    <Notice>Part of your draft could not be read, and the rest is as it was. Check each step before you publish.</Notice>
  );
  const leftOut = refused.length > 0 && (
    <div role="alert">
      <Notice>
        We left out what we cannot use; the rest of your listing is as it was.
        {refused.map((message) => (
          <span key={message}> {message}</span>
        ))}
      </Notice>
    </div>
  );
  const preview = <ListingPreview draft={draft} photos={photos} logo={logo} plan={plan?.planType ?? 'basic'} />;
  const fresh = draft.begun ? startFresh : undefined;
  const actionsOf = (next: ReactNode, busy = false) => (
    <StepActions onBack={busy ? null : wizard.back} goingBack={wizard.goingBack}>
      {next}
    </StepActions>
  );

  switch (step) {
    case 'business':
      return (
        <WizardFrame step={step} {...businessWords} preview={preview} onStartFresh={fresh}>
          {damaged}
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
          intro={cover || paid ? undefined : 'You can look over everything before you pay, and change plans at any time.'}
          wide
          onStartFresh={fresh}
        >
          {damaged}
          <PlanStep
            plans={plans}
            country={country}
            selectedId={planId}
            cover={paid ? undefined : cover}
            paid={paid !== null}
            hasFreeMonth={freeFirstMonth || hasCredit}
            others={bought.filter((one) => one.isActive && !one.isRenewed)}
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
        <WizardFrame step={step} title="Describe your listing" preview={preview} onStartFresh={fresh}>
          {damaged}
          {leftOut}
          {plans.isError && !plans.data ? (
            <PlansProblem error={plans.error} onBack={() => void wizard.goTo('business')} onRetry={() => void plans.refetch()} />
          ) : (
            <DetailsStep
              key={draft.submissionId}
              draft={draft}
              update={update}
              photos={photos}
              onPhotos={changePhotos}
              // No photo is lost because the plans have not loaded yet.
              maxPhotos={plan?.photos ?? maxPhotos}
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
          title="Create your account"
          intro="It is free. Your listing is saved, and the next step is the payment."
          preview={preview}
          onStartFresh={fresh}
        >
          <SignInStep email={draft.business.businessEmail} actions={actionsOf(null)} />
        </WizardFrame>
      );
    case 'payment':
      return (
        <WizardFrame step={step} title={cover || paid ? 'Publish your listing' : 'Payment'} preview={preview} onStartFresh={fresh}>
          {damaged}
          {leftOut}
          {plans.isError && !plans.data && (
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
          {plan && user && !subscriptions.data && !subscriptions.isError && <LoadingView />}
          {plan && user && subscriptions.isError && !subscriptions.data && (
            <ErrorDisplay error={subscriptions.error} onRetry={() => void subscriptions.refetch()} />
          )}
          {plan && user && subscriptions.data && isChecking && <p role="status">Checking your photos before anything is paid …</p>}
          {plan && user && subscriptions.data && !isChecking && (
            <Checkout
              key={`${user._id} ${plan._id} ${country}`}
              purchase={{
                user: {
                  id: user._id,
                  name: user.fullName || user.name,
                  email: user.email,
                  emailConfirmed: user.emailConfirmed,
                },
                plan,
                country,
                cover,
                payment,
                freeFirstMonth,
                hasCredit,
                referralCode: draft.referralCode,
                businessNumber: draft.facts.businessNumber,
              }}
              onChange={update}
              failure={creation.failure}
              onReady={(paymentId) => void creation.create({ plan, photos, logo, covered: cover !== undefined, paymentId })}
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
      return (
        <Published listing={wizard.published}>
          <Suspense>
            <SaveCardOffer userId={user?._id} />
            <NewPlanRenewal userId={user?._id} />
          </Suspense>
        </Published>
      );
  }
}
