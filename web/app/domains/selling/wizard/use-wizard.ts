import { businessDetailsForm, listingDetailsForm } from '@handwise/contract/selling/forms';
import type { CountryCode } from '@handwise/contract/markets';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { type Draft, dropDraft, keepDraft, keepStatus, newDraft } from './wizard-draft.ts';
import { firstStep, nextStep, previousStep, reachableStep, type Step } from './wizard-steps.ts';

type Published = { id: string; title: string };
type Place = { step: Step; from: Step | null; published?: Published };

const backLoadingMs = 300;

type WizardOptions = {
  /** The draft to go on with. */
  start: () => Draft;
  market: CountryCode | null;
  signedIn: boolean;
  /** Whether a running subscription has room for a listing in that country. */
  coveredIn: (country: CountryCode | '') => boolean;
  /** A plan that was chosen before the wizard began. */
  askedPlanId: string | null;
};

/**
 * The draft and the step that is shown. The step stands in the entry of the browser's history, so back, forward and reload find it; where
 * an entry names none, or one that is out of reach, the draft decides.
 */
export function useWizard({ start, market, signedIn, coveredIn, askedPlanId }: WizardOptions) {
  const navigate = useNavigate();
  const { state, search } = useLocation();
  const place = state as Partial<Place> | null;
  const [draft, setDraft] = useState(start);
  const [goingBack, setGoingBack] = useState(false);
  const kept = useRef(draft);

  // Stored at once and not after the next paint: the page may be left by the very press that changed something.
  const update = useCallback((change: Partial<Draft> | ((draft: Draft) => Partial<Draft>)) => {
    kept.current = { ...kept.current, ...(typeof change === 'function' ? change(kept.current) : change) };
    keepDraft(kept.current);
    setDraft(kept.current);
  }, []);

  const covered = coveredIn(draft.business.country);
  const facts = {
    signedIn,
    covered,
    businessFilled: businessDetailsForm.safeParse(draft.business).success,
    planChosen: covered || draft.payment !== null || (draft.planId ?? askedPlanId) !== null,
    listingFilled: listingDetailsForm.safeParse(draft.listing).success,
  };
  const published = place?.step === 'done' ? place.published : undefined;
  const wanted = place?.step ?? (draft.begun ? draft.step : firstStep(facts));
  const step = published ? 'done' : reachableStep(wanted, facts);

  useEffect(() => {
    if (step !== 'done' && step !== 'creating' && kept.current.begun && kept.current.step !== step) update({ step });
  }, [step, update]);
  useEffect(() => {
    const leave = () => kept.current.begun && step !== 'done' && keepStatus('incompleteExit');
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

  // An entry that names no step, as links to the wizard make them, is given the one that it shows: back leads to it again.
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
    /** Goes on from a finished step. What finished it is in the draft already. */
    next() {
      const following = nextStep(step, { signedIn });
      update({ begun: true });
      void goTo(following);
    },
    /** Null where there is no way back. */
    back: previousStep(step, facts) && (() => void back()),
    /** The listing is there. Of the draft, only the business is good for a next one. */
    async complete(listing: Published) {
      dropDraft();
      keepStatus('completed');
      await goTo('done', { replace: true, published: listing });
      kept.current = newDraft(market, kept.current);
      setDraft(kept.current);
    },
    startFresh() {
      dropDraft();
      kept.current = newDraft(market);
      setDraft(kept.current);
      void goTo('business', { replace: true });
    },
  };

  async function back() {
    const target = previousStep(step, facts);
    if (!target || goingBack) return;
    if (step === 'payment') {
      setGoingBack(true);
      await new Promise((resolve) => setTimeout(resolve, backLoadingMs));
      setGoingBack(false);
    }
    // The same as the browser's own button, where the step before is the one that it would lead to.
    if (place?.from === target) void navigate(-1);
    else void goTo(target);
  }
}
