import type { Listing } from '@handwise/contract/listings/calls';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { replyTimesQuery } from '../../domains/messages/reply-time-queries.ts';
import CompareListingsPage from './compare-listings.tsx';

const id = '019c0000-0000-7000-8000-000000000001';
const listing = {
  _id: id,
  serviceTitle: 'Friendly plumber',
  businessTitle: 'Kīngi & Daughters',
  serviceCategory: 'Plumbing',
  services: [],
  pictures: [],
  verified: [],
  serviceDistricts: [],
  location: 'Taupō, Waikato, New Zealand',
  country: 'NZ',
  status: 'active',
  averageRating: 0,
  reviewCount: 0,
} as unknown as Listing;

/** The row of the table that says how fast the seller answers. */
async function replyTime(answer: () => Promise<Map<string, string>> | undefined) {
  // The result of a failed query stays, as it does in a page that is open.
  const client = new QueryClient({ defaultOptions: { queries: { retryOnMount: false, retry: false } } });
  client.setQueryData(['listing', id], listing);
  const replyTimes = answer();
  if (replyTimes) await client.prefetchQuery({ ...replyTimesQuery([id]), queryFn: () => replyTimes });
  const html = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[`/mylistings/compare?listings=${id}`]}>
        <CompareListingsPage />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return /Reply time<\/th><td>([^<]*)/.exec(html)?.[1];
}

test('says how fast a seller answers, and too few answers only where the server said so', async () => {
  expect(await replyTime(async () => new Map([[id, 'Usually within an hour']]))).toBe('Usually within an hour');
  expect(await replyTime(async () => new Map())).toBe('Too few answers to say');
  expect(await replyTime(() => Promise.reject(new Error('offline')))).toBe('Could not be loaded');
  expect(await replyTime(() => undefined)).toBe('Loading...');
});
