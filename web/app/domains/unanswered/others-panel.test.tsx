import type { Others } from '@handwise/contract/unanswered/calls';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { OthersPanel, othersQuery } from './others-panel.tsx';

function render(role: 'buyer' | 'seller', data: Partial<Others>) {
  const queries = new QueryClient();
  const none: Others = { unanswered: false, others: [], asked: 0, askedAt: null, conversations: [] };
  queries.setQueryData(othersQuery('talk').queryKey, { ...none, ...data });
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <MemoryRouter>
        <OthersPanel id="talk" role={role} name="Kauri Plumbing" />
      </MemoryRouter>
    </QueryClientProvider>,
  )
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
const other = (business: string) => ({
  listingId: business,
  business,
  serviceTitle: 'Leaks fixed',
  answering: 'Answered 3 of the last 4 messages',
});

test('offers others to the customer, all chosen, in one button', () => {
  const text = render('buyer', { unanswered: true, others: [other('Rimu'), other('Totara')] });
  expect(text).toContain('No answer from Kauri Plumbing yet');
  expect(text).toContain('Rimu Answered 3 of the last 4 messages Leaks fixed');
  expect(text).toContain('Send my message to 2 businesses');
});

test('names those who were asked to the customer, and only their number to the business', () => {
  const data = { asked: 2, askedAt: '2027-03-02T01:00:00.000Z', conversations: [{ conversationId: 'a', business: 'Rimu' }] };
  expect(render('buyer', data)).toBe('Your message has also gone to Rimu .');
  const text = render('seller', { ...data, conversations: [] });
  expect(text).toMatch(/^Kauri Plumbing sent the same message to two other businesses on Mar \d, 2027, because/);
});

test('says so if there is nobody else to ask', () => {
  expect(render('buyer', { unanswered: true })).toContain('We found no other business near you that does this work');
});

test('shows nothing while there is nothing to say', () => {
  expect([render('buyer', {}), render('seller', {})]).toEqual(['', '']);
});
