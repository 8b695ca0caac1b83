import type { CountryCode } from '@handwise/contract/markets';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useChecks, deleteDraft, createDraft, saveDraft, saveStatus } from './wizard-draft.ts';
import type { Draft } from './wizard-checks.ts';
import { listLicenceProblems, useLicenceRequirement } from '../fields/licence-queries.ts';
import { getFirstStep, getNextStep, getPreviousStep, getReachableStep, type Step } from './wizard-steps.ts';

type Published = { id: string; title: string };
type Place = { step: Step; from: Step | null; published?: Published };

const backLoadingMs = 300;

type WizardOptions = {
  /** The draft to start with. */
  start: () => Draft;
  /** Whether the draft's business is complete, until the checks have loaded. */
  startsWithBusiness: boolean;
  market: CountryCode | null;
  signedIn: boolean;
  /** Whether a running subscription has room for a listing in that country. */
  coveredIn: (country: CountryCode | '') => boolean;
  /** The plan chosen before the wizard started. */
  requestedPlanId: string | null;
};

/**
 * The draft and the current step. The step is in the state of the history entry, so that back, forward and reload restore it; if it is
 * missing or unreachable, the draft decides.
 */
export function useWizard({ start, startsWithBusiness, market, signedIn, coveredIn, requestedPlanId }: WizardOptions) {
  const navigate = useNavigate();
  const { state, search } = useLocation();
  const place = state as Partial<Place> | null;
  const [draft, setDraft] = useState(start);
  const [goingBack, setGoingBack] = useState(false);
  const latest = useRef(draft);
  const checks = useChecks();

  // Stored immediately, because the press that changed the draft may leave the page.
  const update = useCallback((change: Partial<Draft> | ((draft: Draft) => Partial<Draft>)) => {
    latest.current = { ...latest.current, ...(typeof change === 'function' ? change(latest.current) : change) };
    saveDraft(latest.current);
    setDraft(latest.current);
  }, []);

  const { region } = draft.business;
  const requirement = useLicenceRequirement({ region, category: draft.listing.category, subCategory: draft.listing.subCategory });
  const covered = coveredIn(draft.business.country);
  const facts = {
    signedIn,
    covered,
    businessFilled: checks?.isBusinessComplete(draft) ?? startsWithBusiness,
    planChosen: covered || draft.payment !== null || (draft.planId ?? requestedPlanId) !== null,
    // A draft from before a licence was asked for leads back to it, before anything is paid.
    listingFilled:
      (checks?.isListingComplete(draft) ?? false) && (!requirement || listLicenceProblems(requirement, draft.facts).length === 0),
  };
  const published = place?.step === 'done' ? place.published : undefined;
  const requested = place?.step ?? (draft.begun ? draft.step : getFirstStep(facts));
  const step = published ? 'done' : getReachableStep(requested, facts);

  useEffect(() => {
    if (step !== 'done' && step !== 'creating' && latest.current.begun && latest.current.step !== step) update({ step });
  }, [step, update]);
  useEffect(() => {
    const leave = () => latest.current.begun && step !== 'done' && saveStatus('incompleteExit');
    addEventListener('pagehide', leave);
    return () => {
      leave();
      removeEventListener('pagehide', leave);
    };
  }, [step]);

  const goTo = (next: Step, { replace = false, ...rest }: { replace?: boolean; published?: Published } = {}) =>
    Promise.resolve(
      navigate(
        { search: next === 'done' ? '' : search },
        { replace, state: { step: next, from: replace ? null : step, ...rest } satisfies Place },
      ),
    );

  // Links to the wizard create history entries without a step; it is added for the back button.
  const nameless = place?.step === undefined;
  useEffect(() => {
    if (nameless) void navigate({ search }, { replace: true, state: { step, from: null } satisfies Place });
  }, [nameless, navigate, search, step]);

  return {
    draft,
    update,
    step,
    goTo,
    goingBack,
    published,
    /** Leads on from a finished step, which has updated the draft. */
    next() {
      const following = getNextStep(step, { signedIn });
      update({ begun: true });
      void goTo(following);
    },
    /** Null if there is no previous step. */
    back: getPreviousStep(step, facts) && (() => void back()),
    /** Shows that the listing is published, and starts the next draft with its business. */
    async complete(listing: Published) {
      deleteDraft();
      saveStatus('completed');
      await goTo('done', { replace: true, published: listing });
      latest.current = createDraft(market, latest.current);
      setDraft(latest.current);
    },
    startFresh() {
      deleteDraft();
      latest.current = createDraft(market);
      setDraft(latest.current);
      void goTo('business', { replace: true });
    },
  };

  async function back() {
    const target = getPreviousStep(step, facts);
    if (!target || goingBack) return;
    if (step === 'payment') {
      setGoingBack(true);
      await new Promise((resolve) => setTimeout(resolve, backLoadingMs));
      setGoingBack(false);
    }
    // Goes back in the history if that leads to the same step.
    if (place?.from === target) void navigate(-1);
    else void goTo(target);
  }
}
