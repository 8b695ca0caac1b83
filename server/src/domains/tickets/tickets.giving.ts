import { dateText } from '@handwise/contract/dates';
import { paths } from '@handwise/contract/paths';
import { type DrawEntry, drawTimeZone } from '@handwise/contract/tickets/calls';
import { setAuditActor } from '../../kit/database/sql-helpers.ts';
import { AppError } from '../../kit/errors.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { findPerson, lockAccount } from '../accounts/accounts.service.ts';
import type { TicketContext } from './tickets.context.ts';
import { ticketsGivenMail } from './tickets.mails.ts';
import * as queries from './tickets.queries.ts';
import { asOwnEntry } from './tickets.entries.ts';
import { issueTickets } from './tickets.service.ts';

type Gift = { userId: string; tickets: number; reason: string };

/** Gives somebody tickets on behalf of an administrator, and tells them. Throws `user_not_found`, `takes_no_part`. */
export async function giveTickets(context: TicketContext, adminId: string, { userId, tickets, reason }: Gift): Promise<DrawEntry> {
  const { db, jobs, appUrl } = context;
  if (!(await findPerson(db, userId))) throw new AppError('user_not_found');
  return db.transaction().execute(async (tx) => {
    await setAuditActor(tx, adminId);
    const user = await lockAccount(tx, userId);
    if (user.deleted_at) throw new AppError('user_not_found');
    // They would be void at the closing: nobody shall think that they have them.
    if (user.role === 'admin' || user.suspended_at) throw new AppError('takes_no_part');
    const { entryId, head } = await issueTickets(tx, context, { userId, tickets, source: 'other' });
    await queries.insertGiven(tx, { entry_id: entryId, user_id: userId, tickets, given_by: adminId, reason });
    const entry = await queries.findOwnEntry(tx, entryId);
    const closes = dateText(entry.closes_at, drawTimeZone);
    const url = `${appUrl}${paths.referral}`;
    await jobs.send(tx, sendMail, ticketsGivenMail({ to: user.email, name: user.full_name, tickets, reason, closes, head, url }));
    return asOwnEntry(entry);
  });
}
