import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter, UNSAFE_ErrorResponseImpl as RouteError } from 'react-router';
import { expect, test } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import { ErrorPage } from './error-page.tsx';

const shown = (error: unknown) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <ErrorPage error={error} />
    </MemoryRouter>,
  ).replaceAll('&#x27;', "'");
const titleOf = (html: string) => /<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1];

test.each([
  [new RouteError(404, '', null), "This page isn't here"],
  [new RouteError(503, '', { message: 'Busy' }), "We'll be right back"],
  [new RouteError(500, '', null), 'Something went wrong'],
  [new Error('x is not a function'), 'Something went wrong'],
  [new TypeError('Failed to fetch'), 'Connection Problem'],
  [new TypeError('NetworkError when attempting to fetch resource.'), 'Connection Problem'],
  [new TypeError('Load failed'), 'Connection Problem'],
  [new ApiError(0, 'network', 'Network Error'), 'Connection Problem'],
])('has a page for %s that says what to do', (error, title) => {
  const html = shown(error);
  expect(titleOf(html)).toBe(title);
  expect(html).toMatch(/<(button|a)[^>]*>/);
  expect(html).toContain('noindex');
});

test("shows the server's message, and nothing of a fault in our script", () => {
  expect(shown(new RouteError(500, '', { message: 'The printer is on fire' }))).toContain('The printer is on fire');
  expect(shown(new Error('x is not a function'))).not.toContain('not a function');
});

test('links the front page and the contact form from a failed page', () => {
  const html = shown(new Error('broken'));
  expect(html).toContain('href="/"');
  expect(html).toContain('href="/contact"');
});
