import type { Conversation, Message } from '@handwise/contract/messages/calls';
import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { answerCalls, renderPart } from '../../../lib/testing/document.tsx';
import { forgetUser, storeUser } from '../../../lib/session/stored-user.ts';
import { Toaster } from '../../../ui/feedback/toast.tsx';
import { threadQuery } from '../messages-queries.ts';
import { discardMessage, listOutbox } from './outbox.ts';
import { Thread } from './thread.tsx';

const conversation: Conversation = {
  _id: 'one',
  listing: { _id: 'listing', serviceTitle: 'Plumber', status: 'active' },
  role: 'buyer',
  with: { name: 'Kingi Plumbing', username: 'kingi', avatar: '' },
  lastMessage: { text: 'Friday?', createdAt: '2026-11-20T01:00:00.000Z', mine: false, pictures: 0, hasPdf: false, seenAt: null },
  unread: 0,
  quoteRequest: null,
  blocked: null,
};
const message = (number: number, text: string, mine = false): Message => ({
  _id: `message ${number}`,
  number,
  mine,
  text,
  pictures: [],
  pdf: null,
  createdAt: `2026-11-20T01:0${number}:00.000Z`,
  seenAt: null,
  warnings: [],
  clientId: null,
});
const page = (...messages: Message[]) => ({ body: { conversation, quoteRequest: null, emailWaits: false, messages } });
const fine = { body: { message: 'Done' } };
const busy = { status: 500, body: { code: 'internal', message: '' } };

function show(id = 'one') {
  return renderPart(
    <>
      <Thread id={id} />
      <Toaster />
    </>,
  );
}
const field = () => screen.findByLabelText<HTMLTextAreaElement>('Message to Kingi Plumbing');

beforeEach(() => {
  forgetUser();
  storeUser({ _id: 'mere', token: 'token-of-mere' } as Parameters<typeof storeUser>[0]);
  for (const { clientId } of listOutbox()) discardMessage(clientId);
});

const missing = { status: 404, body: { code: 'not_found', message: 'No such conversation' } };

test('a conversation that could not be loaded can be loaded again; one that is not theirs says so', async () => {
  answerCalls({ 'GET /messages/one': [null, page(message(1, 'Friday suits.'))], 'GET /messages/two': [missing] });
  const { user, unmount } = show();
  await user.click(await screen.findByRole('button', { name: /try again/i }));
  await screen.findByText('Friday suits.');
  unmount();
  show('two');
  expect(await screen.findByText('This conversation isn’t here')).toBeTruthy();
});

test('a conversation that could not be read again stays and says so, with what is being written, until it is gone', async () => {
  answerCalls({ 'GET /messages/one': [page(message(1, 'Friday suits.')), null, missing] });
  const { user, client } = show();
  await user.type(await field(), 'At nine?');
  await client.refetchQueries(threadQuery('one'));
  expect(client.getQueryState(threadQuery('one').queryKey)?.status).toBe('error');
  await user.type(await field(), ' Or ten?');
  screen.getByText('Friday suits.');
  expect((await field()).value).toBe('At nine? Or ten?');
  await user.clear(await field());
  screen.getByText('New messages could not be loaded.');
  await user.click(screen.getByRole('button', { name: /try again/i }));
  await screen.findByText('This conversation isn’t here');
});

test('a message that was not sent says so, and the next press sends the same one', async () => {
  const calls = answerCalls({
    'GET /messages/one': [page(message(1, 'Friday suits.'))],
    'POST /messages/one': [null, { body: message(2, 'At nine?', true) }],
  });
  const { user } = show();
  await user.type(await field(), ' At nine? ');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect((await field()).value).toBe('');
  await screen.findByText('Not sent.');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await expect.poll(() => screen.queryByText('Not sent.')).toBeNull();
  const sent = calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
  expect(sent[0]).toMatchObject({ message: 'At nine?' });
  expect(sent[1]).toEqual(sent[0]);
});

test('nothing is sent without a text, and the field says why', async () => {
  const calls = answerCalls({ 'GET /messages/one': [page(message(1, 'Friday suits.'))] });
  const { user } = show();
  await user.type(await field(), '   ');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect((await screen.findByText('Message is required')).getAttribute('role')).toBe('alert');
  expect((await field()).getAttribute('aria-invalid')).toBe('true');
  expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('what was written in one conversation is not in the field of the next, and there again after going back', async () => {
  const other = page(message(1, 'Thursday suits.'));
  answerCalls({ 'GET /messages/one': [page(message(1, 'Friday suits.'))], 'GET /messages/two': [other] });
  function Both() {
    const [id, setId] = useState('one');
    return (
      <>
        <Thread id={id} />
        <button onClick={() => setId(id === 'one' ? 'two' : 'one')}>The other</button>
      </>
    );
  }
  const { user } = renderPart(<Both />);
  await user.type(await field(), 'At nine?');
  await user.click(screen.getByRole('button', { name: 'The other' }));
  await screen.findByText('Thursday suits.');
  expect((await field()).value).toBe('');
  await user.click(screen.getByRole('button', { name: 'The other' }));
  await screen.findByText('Friday suits.');
  expect((await field()).value).toBe('At nine?');
  await user.clear(await field());
});

test('messages are stopped after a question only, and a failure is said', async () => {
  const calls = answerCalls({
    'GET /messages/one': [page(message(1, 'Friday suits.'))],
    'GET /messages': [busy],
    'POST /messages/one/block': [null, fine],
  });
  const { user } = show();
  const blocks = () => calls.filter(({ method }) => method === 'POST').map(({ path }) => path);
  const ask = async () => {
    await user.click(await screen.findByText('Stop messages from Kingi Plumbing'));
    return within(await screen.findByRole('dialog'));
  };
  await user.click((await ask()).getByRole('button', { name: 'Cancel' }));
  expect(blocks()).toEqual([]);
  await user.click((await ask()).getByRole('button', { name: 'Stop messages' }));
  await screen.findByText('Your choice could not be saved. Please try again.');
  await user.click((await ask()).getByRole('button', { name: 'Stop messages' }));
  await expect.poll(blocks).toEqual(Array(2).fill('/messages/one/block'));
});

test('older messages that could not be loaded are offered again', async () => {
  answerCalls({ 'GET /messages/one': [page(message(2, 'Friday suits.')), null, page(message(1, 'When can you come?', true))] });
  const { user } = show();
  const press = async () => user.click(await screen.findByRole('button', { name: 'Show older messages' }));
  await press();
  await screen.findByText('Older messages could not be loaded. Please try again.');
  screen.getByText('Friday suits.');
  await press();
  await screen.findByText('When can you come?');
  expect(screen.queryByRole('button', { name: 'Show older messages' })).toBeNull();
});
