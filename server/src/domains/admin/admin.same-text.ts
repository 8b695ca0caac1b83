import type { OnSameText } from '../messages/messages.service.ts';
import * as queries from './admin.queries.ts';
import { reportOf } from './admin.reports.ts';
import { findThing } from './admin.things.ts';

/**
 * Brings somebody to the moderators who writes the same to many. All that they send of it within a day is one report, which counts up while
 * it is open: what was decided is not asked again for each further message.
 */
export const flagSameText: OnSameText = async (tx, { senderId, messageIds }) => {
  const text = `The same words have gone to the sellers of ${messageIds.length} listings within a day.`;
  const known = await queries.findOwnReport(tx, 'message', senderId, messageIds);
  if (known?.decision_id === null) await queries.setReportComment(tx, known.id, text);
  if (known) return;
  const thing = await findThing(tx, 'message', messageIds.at(-1) ?? '', senderId);
  if (thing) await queries.insertReport(tx, reportOf(thing, { reporterId: null, reason: 'spam', text }));
};
