import { expect, test } from 'vitest';
import { followers } from './followers.ts';

function followed() {
  const seen: string[] = [];
  const known = followers(() => {
    seen.push('started');
    return () => seen.push('stopped');
  });
  return { known, seen };
}

test('follows from the first listener to the last, and again for the next', () => {
  const { known, seen } = followed();
  const [leaveFirst, leaveSecond] = [known.add(() => {}), known.add(() => {})];
  leaveFirst();
  expect(seen).toEqual(['started']);
  leaveSecond();
  expect(seen).toEqual(['started', 'stopped']);
  known.add(() => {})();
  expect(seen).toEqual(['started', 'stopped', 'started', 'stopped']);
});

test('tells those who listen, and nobody who has left', () => {
  const { known, seen } = followed();
  const leave = known.add(() => seen.push('first'));
  known.add(() => seen.push('second'));
  known.tell();
  leave();
  known.tell();
  expect(seen).toEqual(['started', 'first', 'second', 'second']);
});

test('a listener that leaves twice ends nothing for those who stay or come', () => {
  const { known, seen } = followed();
  const leave = known.add(() => {});
  known.add(() => seen.push('told'));
  leave();
  leave();
  known.tell();
  expect(seen).toEqual(['started', 'told']);
});
