import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { answerCalls, renderPart } from '../../../lib/testing/document.tsx';
import { forgetUser, storeUser } from '../../../lib/session/stored-user.ts';
import { readMessageDraft } from '../inbox/message-drafts.ts';
import { MessageFirst } from './message-first.tsx';
import { MessageForm } from './message-form.tsx';
import { getMessagePath, hasPendingMessage } from './pending-message.ts';

const id = '019c0000-0000-7000-8000-000000000001';
const otherId = '019c0000-0000-7000-8000-000000000002';
const listing = (listingId: string) => ({ id: listingId, title: 'Leaks fixed', sellerId: 'ana', business: { name: 'Ana Plumbing' } });
const sent = { body: { message: 'Your message is on its way.', conversationId: 'talk' } };
const text = 'The tap in the kitchen leaks.';

beforeEach(() => {
  forgetUser();
  localStorage.clear();
});
const signIn = () => storeUser({ _id: 'mere', token: 'token-of-mere', email: 'mere@example.org' } as Parameters<typeof storeUser>[0]);
const show = (listingId = id) => {
  const onClose = vi.fn<() => void>();
  return { onClose, ...renderPart(<MessageForm listing={listing(listingId)} onClose={onClose} />) };
};
const box = () => screen.findByLabelText<HTMLTextAreaElement>(/^Your message/);
const button = () => screen.findByRole('button', { name: 'Send message' });
const listIds = (calls: readonly { body: unknown }[]) => calls.map(({ body }) => (body as { clientId: string }).clientId);

test('a first message that failed to send stays, also for the next visit, and is sent again as the same message', async () => {
  signIn();
  const calls = answerCalls({ 'POST /email/send': [null, sent] });
  const { user, unmount } = show();
  await user.type(await box(), text);
  await user.click(await button());
  await screen.findByText('Failed to send message. Please try again.');
  expect((await box()).value).toBe(text);
  unmount();
  const later = show();
  expect((await box()).value).toBe(text);
  await later.user.click(await button());
  const link = await screen.findByRole('link', { name: 'See it in your messages' });
  expect(link.getAttribute('href')).toBe('/messages/talk');
  const [first, again] = calls.map(({ body }) => body);
  expect(first).toMatchObject({ listingId: id, sellerId: 'ana', message: text, buyerEmail: 'mere@example.org' });
  expect(again).toEqual(first);
  expect(readMessageDraft(id)).toBe('');
});

test('a first message that was changed after a failure is another message', async () => {
  signIn();
  const calls = answerCalls({ 'POST /email/send': [null, sent] });
  const { user } = show();
  await user.type(await box(), text);
  await user.click(await button());
  await screen.findByText('Failed to send message. Please try again.');
  await user.type(await box(), ' Badly.');
  await user.click(await button());
  await screen.findByText(/Your message is on its way/);
  expect(new Set(listIds(calls)).size).toBe(2);
});

test('what was written to one business is not in the form of another', async () => {
  signIn();
  answerCalls({});
  const { user, unmount } = show();
  await user.type(await box(), text);
  unmount();
  show(otherId);
  expect((await box()).value).toBe('');
});

test('who has not confirmed their address is told so and can get the link again', async () => {
  signIn();
  const refusal = { status: 403, body: { code: 'address_not_confirmed', message: 'Confirm your email address first.' } };
  answerCalls({ 'POST /email/send': [refusal] });
  const { user } = show();
  await user.type(await box(), text);
  await user.click(await button());
  await screen.findByText('Confirm your email address first.');
  expect(await screen.findByRole('button', { name: /link again/ })).toBeTruthy();
});

test('a visitor’s message is sent by itself once, after signing in, and opens its conversation', async () => {
  const calls = answerCalls({ [`GET /listing/${id}`]: [{ body: { businessTitle: 'Ana Plumbing' } }], 'POST /email/send': [sent] });
  const first = renderPart(<MessageFirst target={getMessagePath(id)} />);
  await first.user.type(await screen.findByLabelText('Your message to Ana Plumbing'), text);
  expect(hasPendingMessage(id)).toBe(true);
  first.unmount();
  signIn();
  const { router, unmount } = show();
  await expect.poll(() => router.state.location.pathname).toBe('/messages/talk');
  unmount();
  show();
  expect((await box()).value).toBe('');
  const posts = calls.filter(({ method }) => method === 'POST');
  expect(posts.map(({ body }) => body)).toMatchObject([{ listingId: id, message: text }]);
});

test('a visitor’s message that could not be sent by itself waits in the form, and keeps its id', async () => {
  const calls = answerCalls({ [`GET /listing/${id}`]: [{ body: { businessTitle: 'Ana Plumbing' } }], 'POST /email/send': [null, sent] });
  const first = renderPart(<MessageFirst target={getMessagePath(id)} />);
  await first.user.type(await screen.findByLabelText('Your message to Ana Plumbing'), text);
  first.unmount();
  signIn();
  const { user } = show();
  await screen.findByText('Failed to send message. Please try again.');
  expect((await box()).value).toBe(text);
  await user.click(await button());
  await screen.findByText(/Your message is on its way/);
  const ids = listIds(calls.filter(({ method }) => method === 'POST'));
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});

test('a visitor who empties the message sends none by signing in, and one whose listing cannot be loaded is told', async () => {
  answerCalls({ [`GET /listing/${id}`]: [{ body: { businessTitle: 'Ana Plumbing' } }, null] });
  const { user, unmount } = renderPart(<MessageFirst target={getMessagePath(id)} />);
  await user.type(await screen.findByLabelText('Your message to Ana Plumbing'), 'x');
  await user.clear(screen.getByLabelText('Your message to Ana Plumbing'));
  expect(hasPendingMessage(id)).toBe(false);
  unmount();
  renderPart(<MessageFirst target={getMessagePath(id)} />);
  await screen.findByText('Unable to load listing information. Please try again later.');
});
