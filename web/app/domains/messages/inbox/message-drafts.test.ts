import { beforeEach, expect, test, vi } from 'vitest';
import { saveMessageDraft, readMessageDraft } from './message-drafts.ts';

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  return () => vi.unstubAllGlobals();
});

test('what was typed for one listing is kept for that listing, as it was typed', () => {
  saveMessageDraft('one', 'The tap drips.\n ');
  saveMessageDraft('two', 'The roof leaks.');
  expect(['one', 'two', 'three'].map(readMessageDraft)).toEqual(['The tap drips.\n ', 'The roof leaks.', '']);
});

test('a draft that was emptied is gone, the others stay', () => {
  saveMessageDraft('one', 'The tap drips.');
  saveMessageDraft('two', 'The roof leaks.');
  saveMessageDraft('one', ' \n');
  expect(['one', 'two'].map(readMessageDraft)).toEqual(['', 'The roof leaks.']);
});

test('of many drafts the last 50 that were changed are kept', () => {
  for (let index = 0; index < 50; index += 1) saveMessageDraft(`id-${index}`, `text ${index}`);
  saveMessageDraft('id-0', 'changed again');
  saveMessageDraft('new', 'one more');
  expect(['id-0', 'id-1', 'id-2', 'new'].map(readMessageDraft)).toEqual(['changed again', '', 'text 2', 'one more']);
});

test.each(['no json', 'null', '5', '{"one":5}'])('what others wrote there, such as %s, is no draft', (text) => {
  localStorage.setItem('messageDrafts', text);
  expect(readMessageDraft('one')).toBe('');
  saveMessageDraft('two', 'still works');
  expect(readMessageDraft('two')).toBe('still works');
});
