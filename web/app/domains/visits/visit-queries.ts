import { queryOptions, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../lib/api.ts';
import { onLive } from '../../lib/live/live-events.ts';
import { threadQuery } from '../messages/messages-queries.ts';

const visitsKey = ['visits'] as const;

export const visitsQuery = (conversationId: string) =>
  queryOptions({
    queryKey: [...visitsKey, conversationId],
    queryFn: ({ signal }) => call('GET /visits', { query: { conversationId } }, signal),
    staleTime: 0,
  });

/** Every change of a visit is a message too, and the visit is shown where that is. */
export const refetchVisits = (client: QueryClient, conversationId: string) =>
  Promise.all([
    client.invalidateQueries({ queryKey: [...visitsKey, conversationId] }),
    client.invalidateQueries({ queryKey: threadQuery(conversationId).queryKey }),
  ]);

export type LocalTime = { start: string; minutes: number };
type Seen = { _id: string; revision: number };

export const visitChanges = {
  propose: (body: { conversationId: string; clientId: string; times: LocalTime[] }) => call('POST /visits', { body }),
  take: ({ _id: id, revision }: Seen, start: string) => call('POST /visits/:id/take', { params: { id }, body: { start, revision } }),
  move: ({ _id: id, revision }: Seen, body: { clientId: string; times: LocalTime[] }) =>
    call('POST /visits/:id/times', { params: { id }, body: { ...body, revision } }),
  ask: ({ _id: id, revision }: Seen, note: string) => call('POST /visits/:id/ask', { params: { id }, body: { note, revision } }),
  cancel: ({ _id: id, revision }: Seen, reason: string) => call('POST /visits/:id/cancel', { params: { id }, body: { reason, revision } }),
};

/** Keeps the visits of open conversations in sync with the server. */
export function useLiveVisits() {
  const client = useQueryClient();
  useEffect(() => {
    const refetch = () => void client.invalidateQueries({ queryKey: visitsKey });
    const stops = [onLive('visit', refetch), onLive('reset', refetch)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client]);
}
