import type { Quote } from '@handwise/contract/quotes/calls';
import type { DeclineReason } from '@handwise/contract/quotes/words';
import { queryOptions, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../lib/api.ts';
import { onLive } from '../../lib/live/live-events.ts';

const quotesKey = (conversationId: string) => ['quotes', conversationId] as const;
const summariesKey = ['quote-summaries'] as const;

export const quotesQuery = (conversationId: string) =>
  queryOptions({
    queryKey: quotesKey(conversationId),
    queryFn: ({ signal }) => call('GET /quotes', { query: { conversationId } }, signal),
    staleTime: 0,
  });

/** Where the quotes of some conversations stand. */
export const summariesQuery = (conversationIds: readonly string[]) =>
  queryOptions({
    queryKey: [...summariesKey, ...conversationIds],
    queryFn: ({ signal }) => call('GET /quotes/summaries', { query: { conversationIds: conversationIds.join(',') } }, signal),
    enabled: conversationIds.length > 0,
    staleTime: 0,
  });

export const refetchQuotes = (client: QueryClient, conversationId: string) =>
  Promise.all([client.invalidateQueries({ queryKey: quotesKey(conversationId) }), client.invalidateQueries({ queryKey: summariesKey })]);

const at = (id: string) => ({ params: { id } });

export const changes = {
  seen: (id: string) => call('POST /quotes/:id/seen', at(id)),
  accept: (id: string) => call('POST /quotes/:id/accept', at(id)),
  withdraw: (id: string) => call('POST /quotes/:id/withdraw', at(id)),
  decline: (id: string, body: { reason: DeclineReason; note: string }) => call('POST /quotes/:id/decline', { ...at(id), body }),
};

/** Marks a quote as seen once its customer has it on the screen. */
export function useSeenQuote({ _id, role, state, conversationId }: Quote) {
  const client = useQueryClient();
  const isUnseen = role === 'buyer' && state === 'sent';
  useEffect(() => {
    if (!isUnseen) return;
    const report = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', report);
      // Reported again with the next view.
      changes.seen(_id).then(
        () => refetchQuotes(client, conversationId),
        () => {},
      );
    };
    document.addEventListener('visibilitychange', report);
    report();
    return () => document.removeEventListener('visibilitychange', report);
  }, [client, _id, conversationId, isUnseen]);
}

/** Keeps the visible quotes in sync with the server. Mounted once per page. */
export function useLiveQuotes() {
  const client = useQueryClient();
  useEffect(() => {
    const refetch = () => {
      void client.invalidateQueries({ queryKey: ['quotes'] });
      void client.invalidateQueries({ queryKey: summariesKey });
    };
    const stops = [onLive('quote', refetch), onLive('reset', refetch)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client]);
}
