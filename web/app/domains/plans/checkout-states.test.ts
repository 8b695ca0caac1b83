import type { FreeMonth, Plan } from '@handwise/contract/plans/calls';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import type { CardOutcome } from '../payments/providers/card-outcome-view.ts';
import {
  type CheckoutEvent,
  type CheckoutFacts,
  checkoutReducer,
  type CheckoutState,
  checkoutView,
  createFirstState,
  getPaymentWay,
  type Stage,
  transitions,
} from './checkout-states.ts';
import { getIntentRefetchMs, type Purchase, useCheckout } from './use-checkout.ts';

const stages = Object.keys(transitions) as Stage[];
const eventOf: Record<CheckoutEvent['type'], CheckoutEvent> = {
  pay: { type: 'pay' },
  notSent: { type: 'notSent' },
  cardAnswered: { type: 'cardAnswered' },
  bankWaits: { type: 'bankWaits' },
  awaitAddress: { type: 'awaitAddress' },
  stopAwaiting: { type: 'stopAwaiting' },
  notified: { type: 'notified', notice: 'Good to know.' },
  create: { type: 'create' },
  created: { type: 'created' },
  retry: { type: 'retry' },
  settled: { type: 'settled' },
  lost: { type: 'lost', trouble: 'Nobody knows.' },
};
const at = (stage: Stage): CheckoutState => ({ stage, notice: null, trouble: null });
const walk = (start: CheckoutState, ...way: CheckoutEvent[]) => way.reduce(checkoutReducer, start);

test('settles an open payment of an earlier visit first', () => {
  expect(createFirstState(true).stage).toBe('resuming');
  expect(createFirstState(false).stage).toBe('ready');
});

test.each<[string, Stage, CheckoutEvent['type'][], Stage]>([
  ['a card pays', 'ready', ['pay', 'cardAnswered', 'settled'], 'ready'],
  ['what was typed is not sent', 'ready', ['pay', 'notSent'], 'ready'],
  ['a bank takes its time', 'ready', ['pay', 'cardAnswered', 'bankWaits', 'bankWaits', 'settled'], 'ready'],
  ['what costs nothing is created', 'ready', ['create', 'created'], 'ready'],
  ['an address is confirmed that the listing waited for', 'ready', ['awaitAddress', 'create', 'created'], 'ready'],
  ['what waits for an address turns out to need a card too', 'ready', ['awaitAddress', 'stopAwaiting'], 'ready'],
  ['the answer is lost, and found on trying again', 'ready', ['pay', 'cardAnswered', 'lost', 'retry', 'settled'], 'ready'],
  ['the answer is lost while the bank decides', 'ready', ['pay', 'cardAnswered', 'bankWaits', 'lost'], 'unsettled'],
  ['an earlier payment is found', 'resuming', ['settled'], 'ready'],
  ['an earlier payment is still with the bank', 'resuming', ['bankWaits', 'settled'], 'ready'],
  ['an earlier payment cannot be found out about', 'resuming', ['lost', 'retry', 'bankWaits', 'lost'], 'unsettled'],
])('%s: from %s by %j to %s', (_name, start, way, end) => {
  expect(walk(at(start), ...way.map((type) => eventOf[type])).stage).toBe(end);
});

test('starts nothing while a request is in progress', () => {
  const from = (type: 'pay' | 'create' | 'awaitAddress') => stages.filter((stage) => checkoutReducer(at(stage), { type }).stage !== stage);
  expect(from('pay')).toEqual(['ready']);
  expect(from('awaitAddress')).toEqual(['ready']);
  // A purchase that waits for the confirmation continues by itself.
  expect(from('create')).toEqual(['ready', 'awaitingAddress']);
});

test('stores a notice before the payment, and changes nothing else', () => {
  expect(walk(at('ready'), eventOf.notified)).toEqual({ stage: 'ready', notice: 'Good to know.', trouble: null });
  expect(stages.filter((stage) => checkoutReducer(at(stage), eventOf.notified).notice !== null)).toEqual(['ready']);
});

test('reaches every stage from the first two, and each leads back to one that can pay', () => {
  const reachedFrom = (start: Stage) => {
    const reached = new Set([start]);
    for (const stage of reached) for (const event of Object.values(eventOf)) reached.add(checkoutReducer(at(stage), event).stage);
    return reached;
  };
  expect([...new Set([...reachedFrom('ready'), ...reachedFrom('resuming')])].toSorted()).toEqual(stages.toSorted());
  expect(stages.filter((stage) => !reachedFrom(stage).has('ready'))).toEqual([]);
});

test('shows a notice until a newer one, and trouble until the next attempt', () => {
  const refunded = walk(at('confirming'), { type: 'settled', notice: 'It was refunded.' });
  expect(refunded).toEqual({ stage: 'ready', notice: 'It was refunded.', trouble: null });
  expect(walk(refunded, { type: 'create' }).notice).toBe('It was refunded.');
  const lost = walk(at('confirming'), { type: 'lost', trouble: 'Nobody knows.' });
  expect(lost.trouble).toBe('Nobody knows.');
  expect(walk(lost, { type: 'retry' }).trouble).toBeNull();
});

const card: CheckoutFacts = {
  payment: null,
  covered: false,
  expectsFree: false,
  price: 2500,
  intent: { state: 'there', amount: 2500, free: null },
};
const freeIntent = (needs: FreeMonth['needs']): CheckoutFacts['intent'] => ({
  state: 'there',
  amount: 0,
  free: { source: 'free_month', needs },
});
const view = (stage: Stage, facts: Partial<CheckoutFacts> = {}) => checkoutView(at(stage), { ...card, ...facts });

test.each<[string, Partial<CheckoutFacts>, string, number | null]>([
  ['a price', {}, 'card', 2500],
  ['a price that is not known yet', { intent: { state: 'asking' } }, 'card', null],
  ['an open payment', { payment: 'open', intent: null }, 'card', null],
  ['a payment that went through', { payment: 'paid', intent: null }, 'paid', 2500],
  ['a payment that went through before a slot became free', { payment: 'paid', covered: true, intent: null }, 'paid', 2500],
  ['a subscription with room', { covered: true, expectsFree: true, intent: null }, 'covered', 0],
  ['a subscription that was bought in another window', { intent: { state: 'covered', message: 'Covered.' } }, 'covered', 0],
  ['a free month that is not asked about yet', { expectsFree: true, intent: { state: 'asking' } }, 'free', 0],
  ['a free month that is not to be had for this', { expectsFree: true }, 'card', 2500],
  ['a code that made it free', { intent: freeIntent(null) }, 'free', 0],
])('pays %s in the right way', (_name, facts, path, total) => {
  expect(getPaymentWay({ ...card, ...facts })).toBe(path);
  expect(view('ready', facts).total).toBe(total);
});

test.each<[Stage, Partial<CheckoutFacts>, string | null]>([
  ['ready', {}, null],
  ['ready', { intent: { state: 'asking' } }, 'Preparing payment...'],
  ['ready', { intent: { state: 'atBank' } }, 'Confirming payment...'],
  ['ready', { intent: { state: 'failed', problem: 'No.' } }, null],
  ['ready', { expectsFree: true, intent: { state: 'asking' } }, 'Preparing payment...'],
  ['ready', { intent: freeIntent('confirmed_address') }, null],
  ['awaitingAddress', { intent: freeIntent('confirmed_address') }, 'Waiting for your confirmation...'],
  ['paying', {}, 'Processing payment...'],
  ['confirming', {}, 'Confirming payment...'],
  ['confirmingAtBank', {}, 'Confirming payment...'],
  ['resuming', { payment: 'open', intent: null }, 'Confirming payment...'],
  ['creating', { intent: freeIntent(null) }, 'Creating listing...'],
  ['unsettled', { payment: 'open', intent: null }, null],
])('%s with %j says %s', (stage, facts, phase) => {
  expect(view(stage, facts).phase).toBe(phase);
});

test('starts no payment while an earlier one is looked up, at the bank or unknown', () => {
  const waiting = stages.filter((stage) => view(stage).mustWait);
  expect(waiting.toSorted()).toEqual(['resuming', 'resumingAtBank', 'unsettled']);
  expect(view('ready', { intent: { state: 'atBank' } }).mustWait).toBe(true);
  expect(view('ready', { intent: { state: 'failed', problem: 'No.' } })).toMatchObject({ mustWait: true, trouble: 'No.' });
});

test('shows what a free month still needs once the server has answered, and only for free months', () => {
  for (const needs of ['confirmed_address', 'saved_card', 'other_card', null] as const) {
    expect(view('ready', { intent: freeIntent(needs) })).toMatchObject({ needs, freeBy: 'free_month' });
  }
  expect(view('ready', { expectsFree: true, intent: { state: 'asking' } })).toMatchObject({ needs: null, freeBy: null });
  expect(view('ready', { payment: 'paid', intent: freeIntent('saved_card') })).toMatchObject({ needs: null, freeBy: null });
});

test('waits for the terms of a free month that failed to load', () => {
  const failed = { expectsFree: true, intent: { state: 'failed', problem: 'No.' } } as const;
  expect(view('ready', failed)).toMatchObject({ path: 'free', mustWait: true, trouble: 'No.' });
  expect(view('ready', { ...failed, covered: true }).mustWait).toBe(false);
});

test('does not wait for a payment when nothing is due', () => {
  expect(stages.filter((stage) => view(stage, { covered: true, intent: null }).mustWait)).toEqual([]);
});

test('locks the card while the provider has it', () => {
  expect(stages.filter((stage) => view(stage).cardIsSent)).toEqual(['paying', 'confirming', 'confirmingAtBank']);
});

test('names the bank only if it takes long', () => {
  expect(stages.filter((stage) => view(stage).bankWaits).toSorted()).toEqual(['confirmingAtBank', 'resumingAtBank']);
  expect(view('ready', { intent: { state: 'atBank' } }).bankWaits).toBe(true);
});

test('shows a purchase of another window until its subscription has loaded', () => {
  const intent = { state: 'covered', message: 'Your subscription still has a free slot.' } as const;
  expect(view('ready', { intent }).notice).toBe('Your subscription still has a free slot.');
  expect(view('ready', { intent, covered: true }).notice).toBeNull();
  expect(checkoutView({ stage: 'ready', notice: 'It was refunded.', trouble: null }, { ...card, intent }).notice).toBe('It was refunded.');
});

test('shows a lost connection before a silent provider', () => {
  const facts: CheckoutFacts = { ...card, intent: { state: 'failed', problem: 'No answer.' } };
  expect(checkoutView({ stage: 'unsettled', notice: null, trouble: 'Lost.' }, facts).trouble).toBe('Lost.');
});

// The hook that uses the states.
const user = { id: '01941f2b-0682-7400-8924-000000000001', name: 'Mere Kingi', email: 'mere@example.org', emailConfirmed: true };
const plan = { _id: '01941f2b-0682-7400-8924-000000000002', priceMinor: 1500 } as Plan;
const open = { paymentIntentId: 'pi_1', userId: user.id, planId: plan._id, country: 'NZ', state: 'open' } as const;
const bought = { subscription: { _id: 'one' } };

/** The requests and the page's events in order; each call gets the next answer for its path. */
let log: string[];
let answers: Record<string, (object | { refused: string })[]>;
let sent: Record<string, unknown>[];
let onWait: () => void;

beforeEach(() => {
  log = [];
  sent = [];
  answers = { 'confirm-payment': [bought], pay: [{ status: 'done', clientSecret: null }], 'create-intent': [] };
  onWait = () => {};
  vi.stubGlobal('document', { documentElement: { toggleAttribute: () => {} } });
  vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
    const name = url.split('/').at(-1) ?? '';
    log.push(name);
    sent.push(JSON.parse(body) as Record<string, unknown>);
    const answer = answers[name]?.shift() ?? {};
    const { refused } = answer as { refused?: string };
    if (refused === 'network') throw new TypeError('fetch failed');
    return refused ? Response.json({ code: refused, message: `It is ${refused}.` }, { status: 409 }) : Response.json(answer);
  });
  vi.stubGlobal('setTimeout', (work: () => void) => {
    log.push('waits');
    onWait();
    queueMicrotask(work);
  });
});
afterEach(() => vi.unstubAllGlobals());

/** A checkout after the server has returned the amount. */
function checkout(change: Partial<Purchase> = {}, authenticate: () => Promise<CardOutcome> = async () => ({ error: 'unasked' })) {
  const queries = new QueryClient();
  const key = ['payment-intent', user.id, plan._id, 'NZ', change.businessNumber ?? ''];
  queries.setQueryData(key, { paymentIntentId: 'pi_1', clientSecret: 's', amount: 1500, free: null });
  const purchase: Purchase = {
    user,
    plan,
    country: 'NZ',
    cover: undefined,
    payment: null,
    freeFirstMonth: false,
    hasCredit: false,
    referralCode: '',
    businessNumber: '',
    ...change,
  };
  let made: ReturnType<typeof useCheckout> | undefined;
  function Page() {
    made = useCheckout({
      purchase,
      onChange: ({ payment, referralCode }) =>
        log.push(referralCode === undefined ? `keeps ${payment ? payment.state : 'no payment'}` : `keeps ${referralCode}`),
      onReady: (paymentId) => log.push(`ready with ${paymentId}`),
      authenticate: () => {
        log.push('the bank asks');
        return authenticate();
      },
    });
    return null;
  }
  renderToStaticMarkup(createElement(QueryClientProvider, { client: queries }, createElement(Page)));
  if (!made) throw new Error('nothing was drawn');
  return { ...made, amount: () => queries.getQueryData<{ amount: number }>(key)?.amount };
}
const collected = async () => ({ token: 'ctoken_1' });

test('stores a payment before sending it, and confirms it before it is ready', async () => {
  expect(await checkout().pay(collected, false)).toBeNull();
  expect(log).toEqual(['keeps open', 'pay', 'confirm-payment', 'keeps paid', 'ready with pi_1']);
  expect(sent[0]).toEqual({ paymentIntentId: 'pi_1', confirmationToken: 'ctoken_1', saveCard: false });
  expect(sent[1]).toEqual({ paymentIntentId: 'pi_1' });
});

test('shows why the form is invalid, and stores and sends nothing', async () => {
  expect(await checkout().pay(async () => ({ error: 'Your card number is incomplete.' }), true)).toBe('Your card number is incomplete.');
  expect(log).toEqual([]);
});

test('asks the bank when required, and shows its rejection after our server has confirmed it', async () => {
  answers['pay'] = [{ status: 'requires_action', clientSecret: 'secret' }];
  answers['confirm-payment'] = [{ refused: 'payment_incomplete' }];
  expect(await checkout({}, async () => ({ error: 'Your bank said no.' })).pay(collected, true)).toBe('Your bank said no.');
  expect(log).toEqual(['keeps open', 'pay', 'the bank asks', 'confirm-payment', 'keeps no payment']);
});

test('asks the server whether a rejected payment, or one without an answer, was paid', async () => {
  answers['pay'] = [{ refused: 'network' }];
  expect(await checkout().pay(collected, false)).toBeNull();
  expect(log).toEqual(['keeps open', 'pay', 'confirm-payment', 'keeps paid', 'ready with pi_1']);
});

test('polls until the bank has decided', async () => {
  answers['confirm-payment'] = [{ refused: 'payment_processing' }, { refused: 'payment_processing' }, bought];
  expect(await checkout().pay(collected, false)).toBeNull();
  expect(log.slice(2).join(', ')).toBe('confirm-payment, waits, confirm-payment, waits, confirm-payment, keeps paid, ready with pi_1');
});

test('asks for the amount again, without a reload, only until the bank of an earlier attempt has decided', () => {
  const refetchMs = (code: ApiError['code']) => getIntentRefetchMs(new ApiError(409, code, ''));
  expect(refetchMs('payment_processing')).toBeGreaterThan(0);
  expect([refetchMs('payment_incomplete'), refetchMs('already_covered'), getIntentRefetchMs(null)]).toEqual([false, false, false]);
});

test('treats a payment that the server does not know as unpaid', async () => {
  answers['pay'] = [{ refused: 'payment_not_found' }];
  answers['confirm-payment'] = [{ refused: 'payment_not_found' }];
  expect(await checkout().pay(collected, false)).toMatch(/./);
  expect(log).toContain('keeps no payment');
});

test('reports no failure and deletes nothing while the outcome is unknown', async () => {
  answers['confirm-payment'] = [{ refused: 'network' }];
  expect(await checkout().pay(collected, false)).toBeNull();
  expect(log).toEqual(['keeps open', 'pay', 'confirm-payment']);
});

test("says that a useless payment is refunded, whatever the card's last error was", async () => {
  answers['pay'] = [{ refused: 'card_declined' }];
  answers['confirm-payment'] = [{ subscription: null }];
  expect(await checkout().pay(collected, false)).toContain('This payment was refunded');
  expect(log.slice(2)).toEqual(['confirm-payment', 'keeps no payment']);
});

test('starts another payment after one was abandoned', async () => {
  answers['pay'] = [{ refused: 'payment_incomplete' }];
  answers['confirm-payment'] = [{ refused: 'payment_incomplete' }];
  answers['create-intent'] = [{ paymentIntentId: 'pi_2', clientSecret: 's', amount: 1500, free: null }];
  await checkout().pay(collected, false);
  expect(log.at(-1)).toBe('create-intent');
});

test('stores an accepted code and updates the amount; a rejected one changes nothing', async () => {
  const page = checkout();
  answers['use-referral'] = [{ success: true, message: 'A free month.', clientSecret: null, paymentIntentId: null, amount: 0, free: null }];
  expect(await page.applyReferral('REF-MER-0001')).toEqual({ success: true, message: 'A free month.' });
  expect([log, page.amount()]).toEqual([['use-referral', 'keeps REF-MER-0001'], 0]);
  answers['use-referral'] = [
    { success: false, message: 'Not this one.', clientSecret: 's', paymentIntentId: 'pi_1', amount: 1500, free: null },
  ];
  expect(await page.applyReferral('REF-OLD-0001')).toEqual({ success: false, message: 'Not this one.' });
  expect(log.at(-1)).toBe('use-referral');
  const other = checkout();
  answers['use-referral'] = [{ refused: 'own_referral_code' }];
  expect(await other.applyReferral('REF-OWN-0001')).toEqual({ success: false, message: 'It is own_referral_code.' });
  expect([log.at(-1), other.amount()]).toEqual(['use-referral', 1500]);
});

test("gets the amount for the listing's business, and again with the card that a free month needs", async () => {
  const page = checkout({ businessNumber: '9429000000017' });
  await page.applyReferral('REF-MER-0001');
  expect(sent.at(-1)).toMatchObject({ businessNumber: '9429000000017' });
  answers['create-intent'] = [
    { paymentIntentId: null, clientSecret: null, amount: 0, free: { source: 'free_month', needs: 'other_card' } },
  ];
  await page.finishWithCard();
  expect([log.at(-1), sent.at(-1)]).toEqual(['create-intent', { planId: plan._id, country: 'NZ', businessNumber: '9429000000017' }]);
});

test('is ready with an earlier payment, or without one if a subscription covers the listing', async () => {
  await checkout({ payment: { ...open, state: 'paid' } }).finish();
  expect(log.at(-1)).toBe('ready with pi_1');
  await checkout({ cover: { _id: 'one' } as Purchase['cover'] }).finish();
  expect(log.at(-1)).toBe('ready with null');
});
