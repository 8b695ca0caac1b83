import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';

/** How fast the sellers of some listings answer, in words, by the ids of the listings. */
export const replyTimesQuery = (listingIds: readonly string[]) =>
  queryOptions({
    queryKey: ['reply times', ...listingIds],
    queryFn: async ({ signal }) => {
      const { replyTimes } = await call('GET /messages/reply-times', { query: { listingIds: listingIds.join() } }, signal);
      return new Map(replyTimes.map(({ listingId, text }) => [listingId, text]));
    },
    enabled: listingIds.length > 0,
  });
