import type { QuoteRequest } from '@handwise/contract/messages/quote-requests';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerCalls, renderPart } from '../../../../lib/testing/document.tsx';
import { Toaster } from '../../../../ui/feedback/toast.tsx';
import { QuoteRequests } from './quote-requests.tsx';

const request = (_id: string, job: string, closedAt: string | null = null): QuoteRequest => ({
  _id,
  job,
  category: 'Plumbing',
  subCategory: null,
  place: 'Taupō, Waikato',
  when: 'flexible',
  date: null,
  createdAt: '2026-11-20T01:00:00.000Z',
  closedAt,
  pictures: [],
  receivers: [
    {
      conversationId: 'talk',
      listing: { _id: 'listing', serviceTitle: 'Plumber', status: 'active' },
      business: 'Ana Plumbing',
      answeredAt: null,
      unread: 0,
    },
  ],
});
const [tap, roof] = [request('tap', 'The tap drips.'), request('roof', 'The roof leaks.')];
const page = (quoteRequests: readonly QuoteRequest[], currentPage = 1, totalPages = 1) => ({
  body: { quoteRequests, currentPage, totalPages, totalQuoteRequests: quoteRequests.length },
});
const show = () =>
  renderPart(
    <>
      <QuoteRequests />
      <Toaster />
    </>,
  );
const jobs = () => screen.queryAllByText(/^The (tap drips|roof leaks)\.$/).map(({ textContent }) => textContent);

test('requests that could not be loaded are not none, and can be loaded again', async () => {
  answerCalls({ 'GET /quote-requests': [null, page([tap])] });
  const { user } = show();
  await screen.findByText('Connection Problem');
  expect(screen.queryByText('No quote requests yet')).toBeNull();
  await user.click(screen.getByText('Try Again'));
  await expect.poll(jobs).toEqual(['The tap drips.']);
});

test('a request is closed only after a second yes; a failure is said, and the requests stay though they could not be loaded again', async () => {
  const calls = answerCalls({
    'GET /quote-requests': [page([tap, roof]), null, page([tap, request('roof', 'The roof leaks.', '2026-11-21T01:00:00.000Z')])],
    'POST /quote-requests/roof/close': [null, { body: { message: 'Closed' } }],
  });
  const { user } = show();
  const closed = () => calls.filter(({ method }) => method === 'POST').length;
  const ask = async () => {
    await user.click(await screen.findByRole('button', { name: 'Close “The roof leaks.”' }));
    return within(await screen.findByRole('dialog'));
  };
  await user.click((await ask()).getByText('Cancel'));
  expect(closed()).toBe(0);
  await user.click((await ask()).getByText('Close request'));
  await screen.findByText('Your request could not be closed. Please try again.');
  await screen.findByText(/could not be loaded again/);
  expect(jobs()).toEqual(['The tap drips.', 'The roof leaks.']);
  await user.click((await ask()).getByText('Close request'));
  await screen.findByText('Closed');
  expect(closed()).toBe(2);
  expect(screen.queryByText(/could not be loaded again/)).toBeNull();
});

test('older requests that could not be loaded leave the list, and are offered again', async () => {
  answerCalls({ 'GET /quote-requests': [page([tap], 1, 2), null, page([roof], 2, 2)] });
  const { user } = show();
  const press = async () => user.click(await screen.findByText('Show older requests'));
  await press();
  await screen.findByText('Older requests could not be loaded.');
  expect(jobs()).toEqual(['The tap drips.']);
  await press();
  await expect.poll(jobs).toEqual(['The tap drips.', 'The roof leaks.']);
  expect(screen.queryByText('Show older requests')).toBeNull();
});
