import type { Tx } from '../../kit/database/database.ts';
import { appendEvents } from '../../kit/events/live-events.ts';
import { type Mail, sendMail } from '../../kit/mail/mail.ts';
import { findMailReader, type MailReader, type MessageContext, type Role } from '../messages/messages.service.ts';
import type { VisitRow } from './visits.queries.ts';

/** Makes open pages of both sides reload the visits of the conversation. */
export const publishVisit = (tx: Tx, { conversation_id: conversationId, buyer_id, seller_id }: VisitRow) =>
  appendEvents(
    tx,
    [buyer_id, seller_id].map((userId) => ({ userId, kind: 'visit', data: { conversationId } })),
  );

type Compose = (to: MailReader, about: { row: VisitRow; role: Role; now: Date }) => Mail;

/** Sends one side an email about a visit, unless they get none. */
export async function emailSide(context: MessageContext, tx: Tx, row: VisitRow, role: Role, compose: Compose): Promise<void> {
  const to = await findMailReader(context, tx, row.conversation_id, role);
  if (to) await context.jobs.send(tx, sendMail, compose(to, { row, role, now: context.clock.now() }));
}
