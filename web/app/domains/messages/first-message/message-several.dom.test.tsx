import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { maxMessageLength } from '@handwise/contract/messages/limits';
import { answerCalls, renderPart } from '../../../lib/testing/document.tsx';
import { MessageSeveral } from './message-several.tsx';

const receivers = [
  { listingId: 'one', sellerId: 'ana', name: 'Ana Plumbing' },
  { listingId: 'two', sellerId: 'tane', name: 'Tāne Drains' },
];

// A message that is being written stays for the next visit.
beforeEach(() => localStorage.clear());

test('a message to several is sent to nobody while it is empty or too long', async () => {
  const calls = answerCalls({});
  const { user } = renderPart(<MessageSeveral receivers={receivers} />);
  const press = async () => user.click(await screen.findByRole('button', { name: 'Send to all 2' }));
  await press();
  await screen.findByText('Message is required');
  await user.click(screen.getByLabelText('Your message'));
  await user.paste('a'.repeat(maxMessageLength + 1));
  await press();
  await screen.findByText(`Message cannot exceed ${maxMessageLength} characters`);
  expect(calls).toEqual([]);
});

test('a message that nobody has yet can be changed, and is then another one; after the first it goes to the others unchanged', async () => {
  const sent = { body: { message: 'Sent', conversationId: 'talk' } };
  const calls = answerCalls({ 'POST /email/send': [null, null, null, null, sent, null, sent] });
  const { user } = renderPart(<MessageSeveral receivers={receivers} />);
  const box = () => screen.getByLabelText<HTMLTextAreaElement>('Your message');
  await user.type(await screen.findByLabelText('Your message'), 'Can you come on Friday?');
  await user.click(await screen.findByRole('button', { name: 'Send to all 2' }));
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  await screen.findByText(/^Not sent to Tāne Drains/);
  await user.type(box(), ' Please.');
  expect(screen.queryByText(/^Not sent to/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Send to all 2' }));
  await screen.findByText(/^Sent to Ana Plumbing/);
  expect(box().readOnly).toBe(true);
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  await screen.findByText(/^Sent to Tāne Drains/);
  const parts = calls.map(({ body }) => body as { clientId: string; listingId: string; message: string });
  const [first, changed] = ['Can you come on Friday?', 'Can you come on Friday? Please.'];
  expect(parts.map(({ listingId, message }) => [listingId, message])).toEqual([
    ['one', first],
    ['two', first],
    ['one', first],
    ['two', first],
    ['one', changed],
    ['two', changed],
    ['two', changed],
  ]);
  const ids = parts.map(({ clientId }) => clientId);
  expect(ids.slice(2, 4)).toEqual(ids.slice(0, 2));
  expect(ids[6]).toBe(ids[5]);
  expect(new Set(ids).size).toBe(4);
});

test('a message whose answers were lost with the page goes under its first ids; one that all have is forgotten', async () => {
  const sent = { body: { message: 'Sent', conversationId: 'talk' } };
  const calls = answerCalls({ 'POST /email/send': [null, null, sent] });
  const first = renderPart(<MessageSeveral receivers={receivers} />);
  await first.user.type(await screen.findByLabelText('Your message'), 'Can you come on Friday?');
  await first.user.click(screen.getByText('Send to all 2'));
  await screen.findByText(/^Not sent to Tāne Drains/);
  first.unmount();
  const second = renderPart(<MessageSeveral receivers={receivers} />);
  expect((await screen.findByLabelText<HTMLTextAreaElement>('Your message')).value).toBe('Can you come on Friday?');
  await second.user.click(screen.getByText('Send to all 2'));
  await screen.findByText(/^Sent to Tāne Drains/);
  expect(screen.queryByLabelText('Your message')).toBeNull();
  second.unmount();
  // The same words again are another message.
  const third = renderPart(<MessageSeveral receivers={receivers} />);
  expect((await screen.findByLabelText<HTMLTextAreaElement>('Your message')).value).toBe('');
  await third.user.type(screen.getByLabelText('Your message'), 'Can you come on Friday?');
  await third.user.click(screen.getByText('Send to all 2'));
  await screen.findByText(/^Sent to Tāne Drains/);
  const ids = calls.map(({ body }) => (body as { clientId: string }).clientId);
  expect(ids.slice(2, 4)).toEqual(ids.slice(0, 2));
  expect(new Set(ids).size).toBe(4);
});
