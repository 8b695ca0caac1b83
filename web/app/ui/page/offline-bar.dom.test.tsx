import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { renderPart } from '../../lib/testing/document.tsx';
import { Toaster } from '../feedback/toast.tsx';
import { OfflineBar } from './offline-bar.tsx';

function setOnline(isOnline: boolean) {
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => isOnline });
  act(() => void dispatchEvent(new Event(isOnline ? 'online' : 'offline')));
}
beforeEach(() => setOnline(true));
afterEach(() => void Reflect.deleteProperty(navigator, 'onLine'));

const show = () =>
  renderPart(
    <>
      <OfflineBar />
      <a href="/services/plumbing">
        <b>Plumbing</b>
      </a>
      <a href="/help#refunds">Refunds</a>
      <a href="mailto:support@handwise.example">Email</a>
      <button>Send</button>
      <Toaster />
    </>,
  );

/** Presses the text; whether the browser would follow it. */
const follows = (text: string) => fireEvent.click(screen.getByText(text));
const words = /^You are offline. What you have typed stays here/;

test('offline the page says so and no link leaves it; back online both are over', () => {
  show();
  expect(screen.queryByText(words)).toBeNull();
  // happy-dom would open the page.
  const stop = (event: Event) => event.preventDefault();
  const reached: string[] = [];
  document.body.addEventListener('click', ({ target }) => reached.push((target as Element).textContent));
  setOnline(false);
  expect(screen.getByText(words).getAttribute('role')).toBe('status');
  expect(follows('Plumbing')).toBe(false);
  screen.getByText('You are offline. This page stays as it is until you are back.');
  // The page's own scripts, such as the router, do not hear of it.
  expect(reached).toEqual([]);
  expect(follows('Send')).toBe(true);
  setOnline(true);
  expect(screen.queryByText(words)).toBeNull();
  document.addEventListener('click', stop);
  follows('Plumbing');
  document.removeEventListener('click', stop);
  expect(reached).toEqual(['Send', 'Plumbing']);
});

test('offline what needs no connection is left to the browser: places on the page, and email', () => {
  setOnline(false);
  show();
  // A page that was opened without a connection, from the history for example.
  screen.getByText(words);
  const reached: string[] = [];
  const note = (event: Event) => {
    reached.push((event.target as Element).textContent);
    event.preventDefault();
  };
  document.body.addEventListener('click', note);
  for (const text of ['Refunds', 'Email', 'Plumbing']) follows(text);
  document.body.removeEventListener('click', note);
  expect(reached).toEqual(['Refunds', 'Email']);
});
