import type { Quote } from '@handwise/contract/quotes/calls';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import { Toaster } from '../../ui/feedback/toast.tsx';
import { QuoteCard } from './quote-card.tsx';
import { QuoteComparison } from './quote-summaries.tsx';

const quote: Quote = {
  _id: 'quote',
  conversationId: 'talk',
  number: 'Q-1001',
  messageNumber: 2,
  role: 'buyer',
  state: 'seen',
  kind: 'quote',
  gstIncluded: true,
  validUntil: '2090-03-15',
  business: 'Kingi & Daughters',
  customer: 'Tama R.',
  currency: 'NZD',
  gstPercent: 15,
  lines: [{ description: 'Labour', quantityMilli: 2_500, unitMinor: 9_500, amountMinor: 23_750 }],
  totalMinor: 23_750,
  gstMinor: 3_098,
  notes: '',
  startsOn: null,
  sentAt: '2027-03-01T00:00:00.000Z',
  seenAt: null,
  closedAt: null,
  decline: null,
  buildingRule: null,
};
const fine = { body: { message: 'Done' } };

function show(changed: Partial<Quote> = {}) {
  const card = <QuoteCard quote={{ ...quote, ...changed }} onAsk={() => {}} canAnswer />;
  return renderPart(
    <>
      {card}
      <Toaster />
    </>,
  );
}
const dialog = async () => within(await screen.findByRole('dialog'));

test('a quote is accepted after a question that names the sum and the business, and once however often it is pressed', async () => {
  const { answer, give } = createLateAnswer(fine);
  const calls = answerCalls({ 'POST /quotes/quote/accept': [answer] });
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Accept quote' }));
  const asking = await dialog();
  asking.getByRole('heading', { name: 'Accept $237.50 NZD?' });
  asking.getByText(/^The agreement is between you and Kingi & Daughters/);
  expect(calls).toEqual([]);
  await user.dblClick(asking.getByRole('button', { name: 'Accept quote' }));
  give();
  await screen.findByText('Accepted. The business has been told.');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  expect(calls).toHaveLength(1);
});

test('a refusal that could not be saved keeps its reason and words, and is sent by the next press', async () => {
  const calls = answerCalls({ 'POST /quotes/quote/decline': [null, fine] });
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Decline' }));
  const asking = await dialog();
  await user.selectOptions(asking.getByLabelText('Why?'), 'timing');
  await user.type(asking.getByLabelText(/^Anything else/), 'In May it would suit.');
  const press = () => user.click(asking.getByRole('button', { name: 'Decline' }));
  await press();
  await asking.findByText('Your choice could not be saved. Please try again.');
  await press();
  await screen.findByText('Declined. The business has been told.');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  const body = { reason: 'timing', note: 'In May it would suit.' };
  expect(calls).toMatchObject([{ body }, { body }]);
});

test('a quote that the server no longer lets be accepted is refused in its words', async () => {
  answerCalls({ 'POST /quotes/quote/accept': [{ status: 409, body: { code: 'quote_closed', message: 'This quote was withdrawn.' } }] });
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Accept quote' }));
  await user.click((await dialog()).getByRole('button', { name: 'Accept quote' }));
  await screen.findByText('This quote was withdrawn.');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

test('a business withdraws its quote after a question, by which it can stay open', async () => {
  const calls = answerCalls({ 'POST /quotes/quote/withdraw': [fine] });
  const { user } = show({ role: 'seller' });
  const ask = async () => user.click(await screen.findByRole('button', { name: 'Withdraw' }));
  await ask();
  await user.click((await dialog()).getByRole('button', { name: 'Keep it open' }));
  expect(calls).toEqual([]);
  await ask();
  await user.click((await dialog()).getByRole('button', { name: 'Withdraw' }));
  await screen.findByText('Withdrawn.');
  expect(calls.map(({ path }) => path)).toEqual(['/quotes/quote/withdraw']);
});

test('a quote is seen by its customer alone, while it is not yet, and again if the report failed', async () => {
  const calls = answerCalls({ 'POST /quotes/quote/seen': [null, fine] });
  for (const changed of [{ state: 'sent', role: 'seller' }, { state: 'accepted' }, { state: 'seen' }] as const) show(changed).unmount();
  expect(calls).toEqual([]);
  for (const times of [1, 2]) {
    const { unmount } = show({ state: 'sent' });
    await vi.waitFor(() => expect(calls).toHaveLength(times));
    unmount();
  }
});

test('quotes side by side that could not be loaded are not none, and can be loaded again', async () => {
  const { _id, conversationId, role, state, kind, gstIncluded, totalMinor, currency, validUntil } = quote;
  const summary = { _id, conversationId, role, state, kind, gstIncluded, totalMinor, currency, validUntil };
  const calls = answerCalls({ 'GET /quotes/summaries': [null, { body: { quotes: [summary] } }] });
  const receivers = [
    { conversationId: 'talk', business: 'Kingi & Daughters' },
    { conversationId: 'other', business: 'Tāne Drains' },
  ];
  const { user } = renderPart(<QuoteComparison receivers={receivers} />);
  await screen.findByText('The quotes could not be loaded.');
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  const list = await screen.findByRole('list', { name: 'Quotes side by side' });
  expect(within(list).getByRole('link').textContent).toBe('Kingi & Daughters');
  within(list).getByText('$237.50 NZD');
  expect(calls[1]?.path).toBe('/quotes/summaries?conversationIds=talk%2Cother');
});
