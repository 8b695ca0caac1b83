export type Step = 'business' | 'plan' | 'details' | 'sign-in' | 'payment' | 'creating' | 'done';

/** The facts that decide which steps are reachable. */
export type Facts = {
  signedIn: boolean;
  /** A running subscription has room for this listing. */
  covered: boolean;
  businessFilled: boolean;
  planChosen: boolean;
  listingFilled: boolean;
};

/** The five stages of the progress bar with their steps. `creating` is 4.5 in the specification. */
export const stages = [
  { name: 'Business Details', steps: ['business'] },
  { name: 'Plans & Listing Details', steps: ['plan', 'details'] },
  { name: 'Login/Signup', steps: ['sign-in'] },
  { name: 'Payment', steps: ['payment', 'creating'] },
  { name: 'Confirmation', steps: ['done'] },
] as const satisfies readonly { name: string; steps: readonly Step[] }[];

const names: Record<Step, string> = {
  business: 'Business Details',
  plan: 'Plan',
  details: 'Listing Details',
  'sign-in': 'Login/Signup',
  payment: 'Payment',
  creating: 'Creating Your Listing',
  done: 'Confirmation',
};

/** A step's position: its stage from 1, its name, its number within the stage, and the progress (0 to 1) including it. */
export function getStepPosition(step: Step) {
  const at = stages.findIndex((stage) => (stage.steps as readonly Step[]).includes(step));
  const steps: readonly Step[] = stages[at]?.steps ?? [];
  const part = steps.indexOf(step) + 1;
  return { stage: at + 1, name: names[step], part, parts: steps.length, share: (at + part / steps.length) / stages.length };
}

const order: readonly Step[] = ['business', 'plan', 'details', 'sign-in', 'payment', 'creating', 'done'];

/** The step after one that is finished. */
export function getNextStep(step: Step, { signedIn }: Pick<Facts, 'signedIn'>): Step {
  // Step 3 is skipped for signed-in users, and left only by signing in.
  if (step === 'details' || step === 'sign-in') return signedIn ? 'payment' : 'sign-in';
  return order[order.indexOf(step) + 1] ?? step;
}

/** The step that "Back" leads to, or null without one. */
export function getPreviousStep(step: Step, { signedIn, covered }: Pick<Facts, 'signedIn' | 'covered'>): Step | null {
  switch (step) {
    case 'plan':
      return 'business';
    case 'details':
      return 'plan';
    case 'sign-in':
      return 'details';
    case 'payment':
      if (covered) return 'business';
      return signedIn ? 'details' : 'sign-in';
    case 'business':
    case 'creating':
    case 'done':
      return null;
  }
}

/** The step to show for `requested`: never one after an unfinished step, nor the sign-in for a signed-in user. */
export function getReachableStep(requested: Step, facts: Facts): Step {
  const unfinished = firstUnfinished(facts);
  if (order.indexOf(requested) >= order.indexOf(unfinished)) return unfinished;
  return requested === 'sign-in' && facts.signedIn ? 'payment' : requested;
}

function firstUnfinished({ businessFilled, planChosen, listingFilled, signedIn }: Facts): Step {
  if (!businessFilled) return 'business';
  if (!planChosen) return 'plan';
  if (!listingFilled) return 'details';
  return signedIn ? 'payment' : 'sign-in';
}

/** The first step without a draft: step 2 for those with a subscription and a known business. */
export const getFirstStep = ({ covered, businessFilled }: Pick<Facts, 'covered' | 'businessFilled'>): Step =>
  covered && businessFilled ? 'plan' : 'business';
