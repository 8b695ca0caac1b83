/**
 * Where a checkout stands. `resuming` settles a payment of an earlier visit, `confirming` one that was begun just now; `…AtBank`: the bank
 * has not decided. `unsettled`: it could not be found out whether something was paid.
 */
export type Stage = 'ready' | 'resuming' | 'resumingAtBank' | 'paying' | 'confirming' | 'confirmingAtBank' | 'creating' | 'unsettled';

export type CheckoutEvent =
  | { type: 'pay' | 'cardAnswered' | 'bankWaits' | 'create' | 'created' | 'retry' }
  /** It is known what became of the payment. `notice`: what people should know of it. */
  | { type: 'settled'; notice?: string }
  | { type: 'lost'; trouble: string };

export type CheckoutState = { stage: Stage; notice: string | null; trouble: string | null };

// What is not named does not happen: a second press while the first is under way changes nothing.
export const transitions: Record<Stage, Partial<Record<CheckoutEvent['type'], Stage>>> = {
  ready: { pay: 'paying', create: 'creating' },
  paying: { cardAnswered: 'confirming' },
  confirming: { bankWaits: 'confirmingAtBank', settled: 'ready', lost: 'unsettled' },
  confirmingAtBank: { settled: 'ready', lost: 'unsettled' },
  creating: { created: 'ready' },
  unsettled: { retry: 'resuming' },
  resuming: { bankWaits: 'resumingAtBank', settled: 'ready', lost: 'unsettled' },
  resumingAtBank: { settled: 'ready', lost: 'unsettled' },
};

/** An open payment of an earlier visit is settled before anything else can be paid. */
export const firstState = (hasOpenPayment: boolean): CheckoutState => ({
  stage: hasOpenPayment ? 'resuming' : 'ready',
  notice: null,
  trouble: null,
});

export function checkoutReducer(state: CheckoutState, event: CheckoutEvent): CheckoutState {
  const stage = transitions[state.stage][event.type];
  if (!stage) return state;
  return {
    stage,
    notice: event.type === 'settled' ? (event.notice ?? state.notice) : state.notice,
    trouble: event.type === 'lost' ? event.trouble : null,
  };
}

/** What was asked of the server about the payment, as far as it is known. Null where nothing has to be asked. */
export type IntentFacts =
  | { state: 'asking' | 'atBank' }
  | { state: 'there'; amount: number }
  | { state: 'failed'; problem: string }
  /** Bought meanwhile, perhaps in another window. */
  | { state: 'covered'; message: string };

export type CheckoutFacts = {
  payment: 'open' | 'paid' | null;
  /** A subscription has room for this listing. */
  covered: boolean;
  freeFirstMonth: boolean;
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
  creating: 'Creating listing...',
  unsettled: null,
};

export type Path = 'card' | 'free' | 'covered' | 'paid';

/** How the listing is paid for: what was paid already comes before what costs nothing, and that before the card. */
export function pathOf({ payment, covered, freeFirstMonth, intent }: Omit<CheckoutFacts, 'price'>): Path {
  if (payment === 'paid') return 'paid';
  if (covered || intent?.state === 'covered') return 'covered';
  return freeFirstMonth || (intent?.state === 'there' && intent.amount === 0) ? 'free' : 'card';
}

/** In cents, null until the server has said. */
function totalOf(path: Path, { price, intent }: CheckoutFacts): number | null {
  if (path === 'paid') return price;
  if (path !== 'card') return 0;
  return intent?.state === 'there' ? intent.amount : null;
}

/** What people see of a checkout. */
export function checkoutView({ stage, notice, trouble }: CheckoutState, facts: CheckoutFacts) {
  const { intent, covered } = facts;
  const path = pathOf(facts);
  const intentAtBank = intent?.state === 'atBank';
  const failed = intent?.state === 'failed' ? intent.problem : null;
  const isResuming = stage === 'resuming' || stage === 'resumingAtBank';
  const preparing = stage === 'ready' && path === 'card' && intent?.state !== 'there' && failed === null;
  return {
    path,
    total: totalOf(path, facts),
    phase: phases[stage] ?? (intentAtBank ? 'Confirming payment...' : preparing ? 'Preparing payment...' : null),
    /** The card is with the provider: neither it nor anything else may be changed. */
    cardIsSent: stage === 'paying' || stage === 'confirming' || stage === 'confirmingAtBank',
    /** The bank has not decided yet: it may take minutes. */
    bankWaits: stage === 'resumingAtBank' || stage === 'confirmingAtBank' || intentAtBank,
    /** No payment can begin: an earlier one is being looked for, or the provider does not answer. */
    mustWait: path === 'card' && (isResuming || stage === 'unsettled' || intentAtBank || failed !== null),
    trouble: trouble ?? failed,
    notice: notice ?? (intent?.state === 'covered' && !covered ? intent.message : null),
  };
}
