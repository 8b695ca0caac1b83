import type { closeQuoteRequest, listQuoteRequests } from '@handwise/contract/messages/quotes';
import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../../../lib/api.ts';
import { onLive } from '../../../../lib/live/live-events.ts';

const key = ['quote-requests'] as const;

export const quoteRequestPages = infiniteQueryOptions({
  queryKey: key,
  queryFn: ({ pageParam, signal }) =>
    call<typeof listQuoteRequests>({ method: 'GET', url: '/quote-requests' }, { query: { page: pageParam } }, signal),
  initialPageParam: 1,
  getNextPageParam: ({ currentPage, totalPages }) => (currentPage < totalPages ? currentPage + 1 : undefined),
  staleTime: 0,
});

export const closeRequest = (id: string) =>
  call<typeof closeQuoteRequest>({ method: 'POST', url: '/quote-requests/:id/close' }, { params: { id } });

/** Answers show as they come, and what is closed in another tab. */
export function useLiveQuoteRequests() {
  const client = useQueryClient();
  useEffect(() => {
    const readAnew = () => void client.invalidateQueries({ queryKey: key });
    const stops = (['message', 'seen', 'quote', 'reset'] as const).map((kind) => onLive(kind, readAnew));
    return () => {
      for (const stop of stops) stop();
    };
  }, [client]);
}
