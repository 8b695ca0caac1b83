import type { Conversation } from '@handwise/contract/messages/calls';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { conversationPages } from '../../domains/messages/messages-queries.ts';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import Inbox from './inbox.tsx';

const conversation = (_id: string, name: string, unread = 0): Conversation => ({
  _id,
  listing: { _id: 'listing', serviceTitle: 'Plumber', status: 'active' },
  role: 'buyer',
  with: { name, username: _id, avatar: '' },
  lastMessage: { text: 'Friday?', createdAt: '2026-11-20T01:00:00.000Z', mine: false, pictures: 0, hasPdf: false, seenAt: null },
  unread,
  quoteRequest: null,
  blocked: null,
});
const ana = conversation('ana', 'Ana Plumbing', 2);
const tane = conversation('tane', 'Tāne Drains');
const page = (conversations: readonly Conversation[], currentPage = 1, totalPages = 1) => ({
  body: { conversations, currentPage, totalPages, totalConversations: conversations.length },
});
const noQuotes = { body: { quotes: [] } };
const names = () => screen.queryAllByText(/^(Ana Plumbing|Tāne Drains)$/).map(({ textContent }) => textContent);

test('conversations that take long say that they are still awaited', async () => {
  const late = createLateAnswer(page([ana]));
  answerCalls({ 'GET /messages': [late.answer], 'GET /quotes/summaries': [noQuotes] });
  renderPart(<Inbox />);
  await screen.findByText(/^Still trying/);
  late.give();
  await expect.poll(names).toEqual(['Ana Plumbing']);
});

test('conversations that could not be loaded are not none, and can be loaded again', async () => {
  answerCalls({ 'GET /messages': [null, page([ana])], 'GET /quotes/summaries': [noQuotes] });
  const { user } = renderPart(<Inbox />);
  await screen.findByText('Connection Problem');
  expect(screen.queryByText('No messages yet')).toBeNull();
  await user.click(screen.getByText('Try Again'));
  await expect.poll(names).toEqual(['Ana Plumbing']);
  screen.getByText('2', { exact: false, selector: 'span' });
});

test('who has no conversation reads how one begins', async () => {
  answerCalls({ 'GET /messages': [page([])] });
  renderPart(<Inbox />);
  expect(await screen.findByText('No messages yet')).toBeTruthy();
});

test('conversations that could not be loaded again stay and say so, until they are', async () => {
  answerCalls({ 'GET /messages': [page([ana]), null, page([tane, ana])], 'GET /quotes/summaries': [noQuotes] });
  const { user, client } = renderPart(<Inbox />);
  await expect.poll(names).toEqual(['Ana Plumbing']);
  await client.refetchQueries(conversationPages);
  await screen.findByText(/could not be loaded again/);
  expect(names()).toEqual(['Ana Plumbing']);
  await user.click(screen.getByText('Try Again'));
  await expect.poll(names).toEqual(['Tāne Drains', 'Ana Plumbing']);
  expect(screen.queryByText(/could not be loaded again/)).toBeNull();
});

test('older conversations that could not be loaded leave the list, and are offered again', async () => {
  const calls = answerCalls({ 'GET /messages': [page([ana], 1, 2), null, page([tane], 2, 2)], 'GET /quotes/summaries': [noQuotes] });
  const { user } = renderPart(<Inbox />);
  const press = async () => user.click(await screen.findByText('Show older conversations'));
  await press();
  await screen.findByText('Older conversations could not be loaded.');
  expect(screen.queryByText(/could not be loaded again/)).toBeNull();
  expect(names()).toEqual(['Ana Plumbing']);
  await press();
  await expect.poll(names).toEqual(['Ana Plumbing', 'Tāne Drains']);
  expect(screen.queryByText('Show older conversations')).toBeNull();
  expect(calls.filter(({ path }) => path.startsWith('/messages')).map(({ path }) => path)).toEqual([
    '/messages?page=1',
    '/messages?page=2',
    '/messages?page=2',
  ]);
});

test('quotes that could not be loaded leave the conversations, and are loaded again', async () => {
  const quote = { _id: 'quote', conversationId: 'ana', role: 'buyer', state: 'sent', kind: 'quote', gstIncluded: true };
  const known = { body: { quotes: [{ ...quote, validUntil: '2090-12-21', totalMinor: 18_000, currency: 'NZD' }] } };
  answerCalls({ 'GET /messages': [page([ana])], 'GET /quotes/summaries': [null, known] });
  const { user } = renderPart(<Inbox />);
  await screen.findByText(/The quotes could not be loaded/);
  expect(names()).toEqual(['Ana Plumbing']);
  await user.click(screen.getByText('Try Again'));
  await screen.findByText('New quote');
});
