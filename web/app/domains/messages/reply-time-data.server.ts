import { getReplyTimes } from '@handwise/contract/messages/calls';
import { formatReplyTime } from '@handwise/contract/messages/reply-time';
import type { ServerContext } from '../../lib/server-context.ts';

/** How fast the seller of a listing answers, in words; null where there are too few answers to say. */
export async function findReplyTime({ call }: ServerContext, listingId: string): Promise<string | null> {
  const { replyTimes } = await call(getReplyTimes, { query: { listingIds: listingId } });
  const replyTime = replyTimes[0]?.replyTime ?? null;
  return replyTime && formatReplyTime(replyTime.medianMinutes);
}
