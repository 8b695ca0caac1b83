import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { ErrorDisplay } from './error-display.tsx';

/** The shown text. */
const shown = (error: unknown, onRetry?: () => void) =>
  renderToStaticMarkup(
    <MemoryRouter initialEntries={['/mylistings/mylistings?status=active']}>
      <ErrorDisplay error={error} onRetry={onRetry} />
    </MemoryRouter>,
  )
    .replace(/<[^>]*>/g, '|')
    .replace(/&#x27;/g, "'")
    .split('|')
    .filter((part) => part.trim() !== '');
const retry = () => {};

test.each([
  [{ status: 404, message: 'No listings found' }, 'No Listings Found', 'There are no listings matching your search criteria.'],
  [
    { status: 0, message: 'Failed to fetch' },
    'Connection Problem',
    "We're having trouble connecting to the server. Please check your internet connection.",
  ],
  [
    { message: 'Network Error' },
    'Connection Problem',
    "We're having trouble connecting to the server. Please check your internet connection.",
  ],
  [{ status: 500, message: 'It broke' }, 'Something went wrong', 'It broke'],
  [{ status: 404, message: 'This card could not be found.' }, 'Something went wrong', 'This card could not be found.'],
  [{ status: 500 }, 'Something went wrong', 'An unexpected error occurred'],
  ['It broke', 'Something went wrong', 'It broke'],
])('shows %j as specified, with Try Again if that can help', (error, title, text) => {
  expect(shown(error, retry)).toEqual([title, text, 'Try Again']);
  expect(shown(error)).toEqual([title, text]);
});

test.each([401, 403])('asks to sign in on %i, and returns here', (status) => {
  expect(shown({ status, message: 'No' }, retry)).toEqual([
    'Authentication Required',
    'You need to be logged in to access this content.',
    'Sign in',
  ]);
  const html = renderToStaticMarkup(
    <MemoryRouter initialEntries={['/mylistings/mylistings?status=active']}>
      <ErrorDisplay error={{ status }} />
    </MemoryRouter>,
  );
  expect(html).toContain('href="/auth/login?redirect=/mylistings/mylistings%3Fstatus%3Dactive"');
});

test('shows an empty result of a successful load', () => {
  expect(shown(null, retry)).toEqual(['No data found', 'There is no data to display at this time.']);
  expect(shown(undefined)).toEqual(['No data found', 'There is no data to display at this time.']);
});
