import { paths } from '@handwise/contract/paths';
import type { CountryCode } from '@handwise/contract/markets';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import { quotesQuery } from './quote-queries.ts';
import { WriteQuote } from './quote-form.tsx';

beforeEach(() => localStorage.clear());

function render(answers: Parameters<typeof answerCalls>[0], country: CountryCode = 'NZ', conversationId = 'talk') {
  const calls = answerCalls({ 'GET /quotes': [{ body: { country, quotes: [], buildingRules: [] } }], ...answers });
  const part = renderPart(<WriteQuote key={conversationId} conversationId={conversationId} />);
  const write = async (description: string, price: string) => {
    await part.user.type(await screen.findByLabelText('Description'), description);
    await part.user.type(screen.getByLabelText('Price each'), price);
  };
  const send = () => part.user.click(screen.getByRole('button', { name: /^Send/ }));
  const sent = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body as Record<string, unknown>);
  return { ...part, write, send, sent };
}

test('a quote without an answer is sent again as the same one, and a changed one as another', async () => {
  const { user, write, send, sent, router } = render({ 'POST /quotes': [null, null, { body: {} }] });
  await write('Leaking tap', '120');
  await send();
  await screen.findByText(/trouble connecting to the server/);
  expect(router.state.location.pathname).toBe('/');
  await send();
  await waitFor(() => expect(sent()).toHaveLength(2));
  await user.type(await screen.findByLabelText('Price each'), '.50');
  await screen.findByText('$120.50 NZD', { selector: 'strong' });
  await send();
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.conversation('talk')));
  const [first, again, changed] = sent();
  expect(again).toEqual(first);
  expect(changed).toMatchObject({ conversationId: 'talk', lines: [{ unitMinor: 12050 }] });
  expect(changed?.['clientId']).not.toBe(first?.['clientId']);
});

test('a quote is sent once for two presses', async () => {
  const { answer, give } = createLateAnswer({ body: {} });
  const { write, send, sent, router } = render({ 'POST /quotes': [answer] });
  await write('Leaking tap', '120');
  await send();
  await send();
  give();
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.conversation('talk')));
  expect(sent()).toHaveLength(1);
});

test('what a business has typed is there again after a failure and a reload, and gone once it is sent', async () => {
  const first = render({ 'POST /quotes': [null] });
  await first.write('Leaking tap', '120');
  await first.send();
  await screen.findByText(/trouble connecting to the server/);
  cleanup();
  const again = render({ 'POST /quotes': [{ body: {} }] });
  expect((await screen.findByLabelText<HTMLInputElement>('Description')).value).toBe('Leaking tap');
  await again.send();
  await waitFor(() => expect(again.router.state.location.pathname).toBe(paths.conversation('talk')));
  cleanup();
  render({});
  expect((await screen.findByLabelText<HTMLInputElement>('Description')).value).toBe('');
});

test("a quote of one conversation is not another one's, and is in the currency of its country", async () => {
  const { write } = render({});
  await write('Leaking tap', '120');
  cleanup();
  render({}, 'AU', 'other talk');
  expect((await screen.findByLabelText<HTMLInputElement>('Description')).value).toBe('');
  expect(screen.getByText('$0.00 AUD')).toBeTruthy();
  expect(screen.getByText('10 % of GST is in the prices.')).toBeTruthy();
});

test('a quote that is being written stays while the others fail to load again', async () => {
  const { write, client } = render({ 'GET /quotes': [{ body: { country: 'NZ', quotes: [], buildingRules: [] } }, null] });
  await write('Leaking tap', '120');
  const field = screen.getByLabelText('Description');
  await client.invalidateQueries();
  await waitFor(() => expect(client.getQueryState(quotesQuery('talk').queryKey)?.status).toBe('error'));
  expect(field.isConnected).toBe(true);
});

test('a line can be added and removed by keyboard, and the focus goes with it', async () => {
  const { user, write } = render({});
  await write('Leaking tap', '120');
  await user.click(screen.getByRole('button', { name: 'Add a line' }));
  expect(document.activeElement).toBe(screen.getAllByLabelText('Description')[1]);
  await user.keyboard('Call-out');
  await user.click(screen.getByRole('button', { name: 'Remove line 1' }));
  const [left, ...others] = screen.getAllByLabelText<HTMLInputElement>('Description');
  expect([left?.value, others]).toEqual(['Call-out', []]);
  expect(document.activeElement).toBe(left);
});
