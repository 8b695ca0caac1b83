import type { Tx } from '../../kit/database/database.ts';
import { deleteEventsOf } from '../../kit/events/live-events.ts';
import { forgetMails } from '../../kit/mail/mail-preferences.ts';

/**
 * What somebody who leaves had beside their conversations. Those stay with whom they were with, who can write no more there; nothing is
 * mailed any more. What they asked for in quote requests is theirs: it goes, the messages stay.
 */
export async function leaveConversations(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable('participants').set({ mail_due_at: null }).where('user_id', '=', userId).execute();
  await tx.deleteFrom('quote_requests').where('user_id', '=', userId).execute();
  await tx.deleteFrom('blocks').where('blocker_id', '=', userId).execute();
  await deleteEventsOf(tx, userId);
  await forgetMails(tx, userId);
}
