import { getReplyTimes } from '@handwise/contract/messages/calls';
import { formatReplyTime } from '@handwise/contract/messages/reply-time';
import type { ServerContext } from '../../lib/server-context.ts';

/** How fast a listing's seller answers, in words; null if there are too few answers. */
export async function findReplyTime({ call }: ServerContext, listingId: string): Promise<string | null> {
  const { replyTimes } = await call(getReplyTimes, { query: { listingIds: listingId } });
  const replyTime = replyTimes[0]?.replyTime ?? null;
  return replyTime && formatReplyTime(replyTime.medianMinutes);
}
