import type { FreeMonth } from '@handwise/contract/plans';
import { expect, test } from 'vitest';
import {
  type CheckoutEvent,
  type CheckoutFacts,
  checkoutReducer,
  type CheckoutState,
  checkoutView,
  firstState,
  pathOf,
  type Stage,
  transitions,
} from './checkout-states.ts';

const stages = Object.keys(transitions) as Stage[];
const eventOf: Record<CheckoutEvent['type'], CheckoutEvent> = {
  pay: { type: 'pay' },
  notSent: { type: 'notSent' },
  cardAnswered: { type: 'cardAnswered' },
  bankWaits: { type: 'bankWaits' },
  awaitAddress: { type: 'awaitAddress' },
  stopAwaiting: { type: 'stopAwaiting' },
  told: { type: 'told', notice: 'Good to know.' },
  create: { type: 'create' },
  created: { type: 'created' },
  retry: { type: 'retry' },
  settled: { type: 'settled' },
  lost: { type: 'lost', trouble: 'Nobody knows.' },
};
const at = (stage: Stage): CheckoutState => ({ stage, notice: null, trouble: null });
const walk = (start: CheckoutState, ...way: CheckoutEvent[]) => way.reduce(checkoutReducer, start);

test('an open payment of an earlier visit is settled before anything else', () => {
  expect(firstState(true).stage).toBe('resuming');
  expect(firstState(false).stage).toBe('ready');
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

test('nothing begins while something is under way', () => {
  const from = (type: 'pay' | 'create' | 'awaitAddress') => stages.filter((stage) => checkoutReducer(at(stage), { type }).stage !== stage);
  expect(from('pay')).toEqual(['ready']);
  expect(from('awaitAddress')).toEqual(['ready']);
  // What waits for the confirmation goes on by itself.
  expect(from('create')).toEqual(['ready', 'awaitingAddress']);
});

test('what is told before one pays is kept, and changes nothing else', () => {
  expect(walk(at('ready'), eventOf.told)).toEqual({ stage: 'ready', notice: 'Good to know.', trouble: null });
  expect(stages.filter((stage) => checkoutReducer(at(stage), eventOf.told).notice !== null)).toEqual(['ready']);
});

test('every stage is reached from the first two, and each leads back to where one can pay', () => {
  const reachedFrom = (start: Stage) => {
    const reached = new Set([start]);
    for (const stage of reached) for (const event of Object.values(eventOf)) reached.add(checkoutReducer(at(stage), event).stage);
    return reached;
  };
  expect([...new Set([...reachedFrom('ready'), ...reachedFrom('resuming')])].toSorted()).toEqual(stages.toSorted());
  expect(stages.filter((stage) => !reachedFrom(stage).has('ready'))).toEqual([]);
});

test('what is to be known of a payment stays until something newer is, and trouble until one tries again', () => {
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
])('%s is paid by the right way', (_name, facts, path, total) => {
  expect(pathOf({ ...card, ...facts })).toBe(path);
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

test('no payment begins while an earlier one is looked for, is with the bank or cannot be found out about', () => {
  const waiting = stages.filter((stage) => view(stage).mustWait);
  expect(waiting.toSorted()).toEqual(['resuming', 'resumingAtBank', 'unsettled']);
  expect(view('ready', { intent: { state: 'atBank' } }).mustWait).toBe(true);
  expect(view('ready', { intent: { state: 'failed', problem: 'No.' } })).toMatchObject({ mustWait: true, trouble: 'No.' });
});

test('what a free month waits for is known once the server has said it, and of nothing else', () => {
  for (const needs of ['confirmed_address', 'saved_card', null] as const) {
    expect(view('ready', { intent: freeIntent(needs) })).toMatchObject({ needs, freeBy: 'free_month' });
  }
  expect(view('ready', { expectsFree: true, intent: { state: 'asking' } })).toMatchObject({ needs: null, freeBy: null });
  expect(view('ready', { payment: 'paid', intent: freeIntent('saved_card') })).toMatchObject({ needs: null, freeBy: null });
});

test('a free month whose terms did not come waits for them too', () => {
  const failed = { expectsFree: true, intent: { state: 'failed', problem: 'No.' } } as const;
  expect(view('ready', failed)).toMatchObject({ path: 'free', mustWait: true, trouble: 'No.' });
  expect(view('ready', { ...failed, covered: true }).mustWait).toBe(false);
});

test('who has nothing to pay need not wait for a payment', () => {
  expect(stages.filter((stage) => view(stage, { covered: true, intent: null }).mustWait)).toEqual([]);
});

test('the card cannot be changed while it is with the provider', () => {
  expect(stages.filter((stage) => view(stage).cardIsSent)).toEqual(['paying', 'confirming', 'confirmingAtBank']);
});

test('a bank that takes its time is named, and only then', () => {
  expect(stages.filter((stage) => view(stage).bankWaits).toSorted()).toEqual(['confirmingAtBank', 'resumingAtBank']);
  expect(view('ready', { intent: { state: 'atBank' } }).bankWaits).toBe(true);
});

test('what was bought in another window is told until the subscription is here', () => {
  const intent = { state: 'covered', message: 'Your subscription still has a free slot.' } as const;
  expect(view('ready', { intent }).notice).toBe('Your subscription still has a free slot.');
  expect(view('ready', { intent, covered: true }).notice).toBeNull();
  expect(checkoutView({ stage: 'ready', notice: 'It was refunded.', trouble: null }, { ...card, intent }).notice).toBe('It was refunded.');
});

test('what was lost comes before what the provider does not answer', () => {
  const facts: CheckoutFacts = { ...card, intent: { state: 'failed', problem: 'No answer.' } };
  expect(checkoutView({ stage: 'unsettled', notice: null, trouble: 'Lost.' }, facts).trouble).toBe('Lost.');
});
