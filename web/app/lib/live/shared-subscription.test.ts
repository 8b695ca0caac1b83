import { expect, test } from 'vitest';
import { createSharedSubscription } from './shared-subscription.ts';

function subscription() {
  const seen: string[] = [];
  const known = createSharedSubscription(() => {
    seen.push('started');
    return () => seen.push('stopped');
  });
  return { known, seen };
}

test('starts with the first listener, stops with the last, and starts again', () => {
  const { known, seen } = subscription();
  const [leaveFirst, leaveSecond] = [known.subscribe(() => {}), known.subscribe(() => {})];
  leaveFirst();
  expect(seen).toEqual(['started']);
  leaveSecond();
  expect(seen).toEqual(['started', 'stopped']);
  known.subscribe(() => {})();
  expect(seen).toEqual(['started', 'stopped', 'started', 'stopped']);
});

test('notifies listeners until they unsubscribe', () => {
  const { known, seen } = subscription();
  const unsubscribe = known.subscribe(() => seen.push('first'));
  known.subscribe(() => seen.push('second'));
  known.notify();
  unsubscribe();
  known.notify();
  expect(seen).toEqual(['started', 'first', 'second', 'second']);
});

test('keeps the subscription for others when a listener unsubscribes twice', () => {
  const { known, seen } = subscription();
  const unsubscribe = known.subscribe(() => {});
  known.subscribe(() => seen.push('notified'));
  unsubscribe();
  unsubscribe();
  known.notify();
  expect(seen).toEqual(['started', 'notified']);
});
