import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';

export type MessageContext = Context & {
  /** The domain that receives email replies; null if inbound email is off. */
  replyDomain: string | null;
};

/** What messages need from the domains above them. */
export type MessageHooks = {
  /** Called when one user starts conversations about many listings with the same text; the first message of each, newest last. */
  onSameText: (tx: Tx, sent: { senderId: string; messageIds: readonly string[] }) => Promise<void>;
  /** Called in the transaction that begins a conversation, before its first message is written. */
  onContacted: (tx: Tx, begun: { conversationId: string; listingId: string; at: Date }) => Promise<void>;
};
