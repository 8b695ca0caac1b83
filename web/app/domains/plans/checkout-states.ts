import type { FreeMonth } from '@handwise/contract/plans/calls';

/**
 * The state of a checkout. `resuming` settles a payment of an earlier visit, `confirming` one just created; `…AtBank`: the bank has not
 * decided. `unsettled`: the outcome is unknown. `awaitingAddress`: the listing is created once the address is confirmed.
 */
export type Stage =
  | 'ready'
  | 'resuming'
  | 'resumingAtBank'
  | 'paying'
  | 'confirming'
  | 'confirmingAtBank'
  | 'awaitingAddress'
  | 'creating'
  | 'unsettled';

export type CheckoutEvent =
  | { type: 'pay' | 'notSent' | 'cardAnswered' | 'bankWaits' | 'awaitAddress' | 'stopAwaiting' | 'create' | 'created' | 'retry' }
  /** A notice before the payment. */
  | { type: 'notified'; notice: string }
  /** The outcome of the payment is known. `notice`: what to show about it. */
  | { type: 'settled'; notice?: string }
  | { type: 'lost'; trouble: string };

export type CheckoutState = { stage: Stage; notice: string | null; trouble: string | null };

// Unlisted events are ignored: a second press during a request changes nothing.
export const transitions: Record<Stage, Partial<Record<CheckoutEvent['type'], Stage>>> = {
  ready: { notified: 'ready', pay: 'paying', create: 'creating', awaitAddress: 'awaitingAddress' },
  awaitingAddress: { create: 'creating', stopAwaiting: 'ready' },
  paying: { cardAnswered: 'confirming', notSent: 'ready' },
  confirming: { bankWaits: 'confirmingAtBank', settled: 'ready', lost: 'unsettled' },
  confirmingAtBank: { settled: 'ready', lost: 'unsettled' },
  creating: { created: 'ready' },
  unsettled: { retry: 'resuming' },
  resuming: { bankWaits: 'resumingAtBank', settled: 'ready', lost: 'unsettled' },
  resumingAtBank: { settled: 'ready', lost: 'unsettled' },
};

/** An open payment of an earlier visit is settled before anything else can be paid. */
export const createFirstState = (hasOpenPayment: boolean): CheckoutState => ({
  stage: hasOpenPayment ? 'resuming' : 'ready',
  notice: null,
  trouble: null,
});

export function checkoutReducer(state: CheckoutState, event: CheckoutEvent): CheckoutState {
  const stage = transitions[state.stage][event.type];
  if (!stage) return state;
  return {
    stage,
    notice: 'notice' in event ? (event.notice ?? state.notice) : state.notice,
    trouble: event.type === 'lost' ? event.trouble : null,
  };
}

/** The quote for the payment, if loaded. Null if none is needed. */
export type IntentFacts =
  | { state: 'asking' | 'atBank' }
  /** `free`: the free month that makes the amount 0, and what it still needs. */
  | { state: 'there'; amount: number; free: FreeMonth | null }
  | { state: 'failed'; problem: string }
  /** Bought already, perhaps in another window. */
  | { state: 'covered'; message: string };

export type CheckoutFacts = {
  payment: 'open' | 'paid' | null;
  /** A subscription has room for this listing. */
  covered: boolean;
  /** Whether a free month is expected, before the server has answered. */
  expectsFree: boolean;
  /** In cents. */
  price: number;
  intent: IntentFacts | null;
};

const phases: Record<Stage, string | null> = {
  ready: null,
  resuming: 'Confirming payment...',
  resumingAtBank: 'Confirming payment...',
  paying: 'Processing payment...',
  confirming: 'Confirming payment...',
  confirmingAtBank: 'Confirming payment...',
  awaitingAddress: 'Waiting for your confirmation...',
  creating: 'Creating listing...',
  unsettled: null,
};

export type Path = 'card' | 'free' | 'covered' | 'paid';

/** How the listing is paid for: by an earlier payment, else without cost, else by card. */
export function getPaymentWay({ payment, covered, expectsFree, intent }: Omit<CheckoutFacts, 'price'>): Path {
  if (payment === 'paid') return 'paid';
  if (covered || intent?.state === 'covered') return 'covered';
  const isFree = intent?.state === 'there' ? intent.amount === 0 : expectsFree;
  return isFree ? 'free' : 'card';
}

/** In cents; null until loaded. */
function getTotal(path: Path, { price, intent }: CheckoutFacts): number | null {
  if (path === 'paid') return price;
  if (path !== 'card') return 0;
  return intent?.state === 'there' ? intent.amount : null;
}

/** The view of a checkout. */
export function checkoutView({ stage, notice, trouble }: CheckoutState, facts: CheckoutFacts) {
  const { intent, covered } = facts;
  const path = getPaymentWay(facts);
  const intentAtBank = intent?.state === 'atBank';
  const failed = intent?.state === 'failed' ? intent.problem : null;
  const isResuming = stage === 'resuming' || stage === 'resumingAtBank';
  const needsIntent = path === 'card' || path === 'free';
  const preparing = stage === 'ready' && needsIntent && intent?.state !== 'there' && failed === null;
  const free = path === 'free' && intent?.state === 'there' ? intent.free : null;
  return {
    path,
    total: getTotal(path, facts),
    phase: phases[stage] ?? (intentAtBank ? 'Confirming payment...' : preparing ? 'Preparing payment...' : null),
    /** The card is with the provider: neither it nor anything else may be changed. */
    cardIsSent: stage === 'paying' || stage === 'confirming' || stage === 'confirmingAtBank',
    /** The bank has not decided yet: it may take minutes. */
    bankWaits: stage === 'resumingAtBank' || stage === 'confirmingAtBank' || intentAtBank,
    /** No payment can start: an earlier one is being looked up, or the provider does not respond. */
    mustWait: (path === 'card' && (isResuming || stage === 'unsettled' || intentAtBank)) || (needsIntent && failed !== null),
    /** The source of the free month; null if there is none or it is not known yet. */
    freeBy: free?.source ?? null,
    /** What the free month still needs. */
    needs: free?.needs ?? null,
    trouble: trouble ?? failed,
    notice: notice ?? (intent?.state === 'covered' && !covered ? intent.message : null),
  };
}
