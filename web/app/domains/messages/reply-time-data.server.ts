import { replyTimeFormula } from '@handwise/contract/messages/reply-time';
import type { ServerContext } from '../../lib/server-context.ts';

/** How a listing's seller answers, in words with their explanation; null if too little is known. */
export async function findReplyTime({ call }: ServerContext, listingId: string): Promise<{ text: string; formula: string } | null> {
  const { replyTimes } = await call('GET /messages/reply-times', { query: { listingIds: listingId } });
  const text = replyTimes[0]?.text;
  return text ? { text, formula: replyTimeFormula } : null;
}
