import type { Conversation, Message } from '@handwise/contract/messages/calls';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { until } from '../../../lib/testing/until.ts';
import { createSeenReport, Thread } from './thread.tsx';

const conversation: Conversation = {
  _id: 'one',
  listing: { _id: 'listing', serviceTitle: 'Plumber', status: 'active' },
  role: 'buyer',
  with: { name: 'Kingi Plumbing', username: 'mere', avatar: '' },
  lastMessage: { text: 'Friday?', createdAt: '2026-11-20T01:00:00.000Z', mine: true, pictures: 0, hasPdf: false, seenAt: null },
  unread: 0,
  quoteRequest: null,
  blocked: null,
};
const message: Message = {
  _id: 'first',
  number: 1,
  mine: true,
  text: 'Friday?',
  pictures: [],
  pdf: null,
  createdAt: '2026-11-20T01:00:00.000Z',
  seenAt: null,
  warnings: [],
  clientId: null,
};

function shown(emailWaits: boolean): string {
  const client = new QueryClient();
  client.setQueryData(['conversation', 'one'], { conversation, quoteRequest: null, emailWaits, messages: [message] });
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <Thread id="one" />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

test('says when replies are not emailed, with a button to resend the link', () => {
  expect(shown(true)).toMatch(/You will not get an email when Kingi Plumbing replies.*<button[^>]*>.*Send the link again/s);
  expect(shown(false)).toContain('Friday?');
  expect(shown(false)).not.toContain('You will not get an email');
});

test('reports a message as seen once, and again only if the report failed', async () => {
  const sent: number[] = [];
  let works = false;
  const report = createSeenReport(3, async (number) => {
    sent.push(number);
    if (!works) throw new Error('offline');
  });
  report(3);
  expect(sent).toEqual([]);
  report(4);
  report(4);
  expect(sent).toEqual([4]);
  works = true;
  await until(() => {
    report(4);
    expect(sent).toEqual([4, 4]);
  });
  report(4);
  report(5);
  expect(sent).toEqual([4, 4, 5]);
});
