import { infiniteQueryOptions, queryOptions, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../lib/api.ts';
import { onLive } from '../../lib/live/live-events.ts';
import { type ThreadData, addMessageToThread, addPageToThread, markSeenInThread } from './inbox/thread-view.ts';

const conversationsKey = ['conversations'] as const;
const threadKey = (id: string) => ['conversation', id] as const;

export const conversationPages = infiniteQueryOptions({
  queryKey: conversationsKey,
  queryFn: ({ pageParam, signal }) => call('GET /messages', { query: { page: pageParam } }, signal),
  initialPageParam: 1,
  getNextPageParam: ({ currentPage, totalPages }) => (currentPage < totalPages ? currentPage + 1 : undefined),
  staleTime: 0,
});

const readPage = (id: string, query: { before?: number }, signal?: AbortSignal) =>
  call('GET /messages/:id', { params: { id }, query }, signal);

/** Live events during the request are preserved: loading only adds. */
export const threadQuery = (id: string) =>
  queryOptions({
    queryKey: threadKey(id),
    queryFn: async ({ client, signal }) => {
      const page = await readPage(id, {}, signal);
      return addPageToThread(client.getQueryData<ThreadData>(threadKey(id)), page);
    },
    staleTime: 0,
  });

export async function readOlder(client: QueryClient, id: string): Promise<void> {
  const first = client.getQueryData<ThreadData>(threadKey(id))?.messages[0]?.number;
  if (first === undefined || first <= 1) return;
  const page = await readPage(id, { before: first });
  client.setQueryData<ThreadData>(threadKey(id), (thread) => addPageToThread(thread, page));
}

/** Adds a message that was just sent or received to its conversation, and moves that to the top of the list. */
export function addMessage(client: QueryClient, conversationId: string, message: ThreadData['messages'][number]) {
  const thread = client.getQueryData<ThreadData>(threadKey(conversationId));
  const next = thread && addMessageToThread(thread, message);
  if (next) client.setQueryData(threadKey(conversationId), next);
  else void client.invalidateQueries({ queryKey: threadKey(conversationId) });
  void client.invalidateQueries({ queryKey: conversationsKey });
}

export const refetchMessages = (client: QueryClient, conversationId: string) =>
  Promise.all([
    client.invalidateQueries({ queryKey: threadKey(conversationId) }),
    client.invalidateQueries({ queryKey: conversationsKey }),
  ]);

/** Keeps the visible messages in sync with the server. Mounted once, around the pages of messages. */
export function useLiveMessages() {
  const client = useQueryClient();
  useEffect(() => {
    const stops = [
      onLive('message', ({ conversationId, message }) => addMessage(client, conversationId, message)),
      onLive('seen', ({ conversationId, number, by, seenAt }) => {
        if (by === 'them')
          client.setQueryData<ThreadData>(threadKey(conversationId), (thread) => thread && markSeenInThread(thread, number, seenAt));
        void client.invalidateQueries({ queryKey: conversationsKey });
      }),
      onLive('block', ({ conversationId }) => void refetchMessages(client, conversationId)),
      onLive('quote', ({ conversationId }) => void refetchMessages(client, conversationId)),
      onLive('address-confirmed', () => void client.invalidateQueries({ queryKey: ['conversation'] })),
      onLive('reset', () => {
        void client.invalidateQueries({ queryKey: ['conversation'] });
        void client.invalidateQueries({ queryKey: conversationsKey });
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client]);
}
