import { beforeEach, expect, test, vi } from 'vitest';
import { saveMessageDraft, readMessageDraft } from './message-drafts.ts';
import { stubLocalStorage } from '../../../lib/testing/local-storage.ts';

beforeEach(() => {
  stubLocalStorage();
  return () => vi.unstubAllGlobals();
});

test('stores a text per listing, unchanged', () => {
  saveMessageDraft('one', 'The tap drips.\n ');
  saveMessageDraft('two', 'The roof leaks.');
  expect(['one', 'two', 'three'].map(readMessageDraft)).toEqual(['The tap drips.\n ', 'The roof leaks.', '']);
});

test('deletes an emptied draft only', () => {
  saveMessageDraft('one', 'The tap drips.');
  saveMessageDraft('two', 'The roof leaks.');
  saveMessageDraft('one', ' \n');
  expect(['one', 'two'].map(readMessageDraft)).toEqual(['', 'The roof leaks.']);
});

test('stores the last 50 changed drafts', () => {
  for (let index = 0; index < 50; index += 1) saveMessageDraft(`id-${index}`, `text ${index}`);
  saveMessageDraft('id-0', 'changed again');
  saveMessageDraft('new', 'one more');
  expect(['id-0', 'id-1', 'id-2', 'new'].map(readMessageDraft)).toEqual(['changed again', '', 'text 2', 'one more']);
});

test.each(['no json', 'null', '5', '{"one":5}'])('ignores %s in the storage', (text) => {
  localStorage.setItem('messageDrafts', text);
  expect(readMessageDraft('one')).toBe('');
  saveMessageDraft('two', 'still works');
  expect(readMessageDraft('two')).toBe('still works');
});
