import type { Tx } from '../../kit/database/database.ts';
import { appendEvents } from '../../kit/events/live-events.ts';
import { type Mail, sendMail } from '../../kit/mail/mail.ts';
import { findMailReader, type MailReader, type MessageContext, type Role } from '../messages/messages.service.ts';
import type { VisitRow } from './visits.queries.ts';
import { getUserOf } from './visits.views.ts';

/** Makes open pages of both sides, or of one, reload the visits of the conversation. */
export const publishVisit = (tx: Tx, row: VisitRow, sides: readonly Role[] = ['buyer', 'seller']) =>
  appendEvents(
    tx,
    sides.map((role) => ({ userId: getUserOf(row, role), kind: 'visit', data: { conversationId: row.conversation_id } })),
  );

type Compose = (to: MailReader, about: { row: VisitRow; role: Role; now: Date }) => Mail;

/** Sends one side an email about a visit, unless they get none. */
export async function emailSide(context: MessageContext, tx: Tx, row: VisitRow, role: Role, compose: Compose): Promise<void> {
  const to = await findMailReader(context, tx, row.conversation_id, role);
  if (to) await context.jobs.send(tx, sendMail, compose(to, { row, role, now: context.clock.now() }));
}
