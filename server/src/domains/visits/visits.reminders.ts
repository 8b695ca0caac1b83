import { formatTimeZone } from '@handwise/contract/dates';
import { paths } from '@handwise/contract/paths';
import { formatVisitTime } from '@handwise/contract/visits/words';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import type { MessageContext } from '../messages/messages.service.ts';
import { sendPush } from '../push/push.service.ts';
import { reminderEmail } from './visits.emails.ts';
import { emailSide } from './visits.notify.ts';
import * as queries from './visits.queries.ts';
import { hasBegun, isAgreed } from './visits.states.ts';
import { getAgreedTime, getOtherName, getTimeZone, getUserOf, toVisitTime } from './visits.views.ts';

const batchSize = 200;

/** A scheduled job that runs on one server at a time. One visit that fails does not stop the others, and is tried again. */
export async function remindOfVisits(context: MessageContext): Promise<void> {
  const { db, clock, logger } = context;
  for (const id of await queries.listVisitsToRemind(db, clock.now(), batchSize)) {
    await db
      .transaction()
      .execute(async (tx) => {
        const row = await queries.claimReminder(tx, id, clock.now());
        if (row) await remind(context, tx, row);
      })
      .catch((error: unknown) => {
        logger.error({ err: error, visitId: id }, 'the reminder of a visit failed');
      });
  }
}

async function remind(context: MessageContext, tx: Tx, row: queries.VisitRow): Promise<void> {
  const time = getAgreedTime(row);
  if (!time) return;
  const timeZone = getTimeZone(row);
  for (const role of ['buyer', 'seller'] as const) {
    await emailSide(context, tx, row, role, reminderEmail);
    await sendPush(tx, context, getUserOf(row, role), () => ({
      title: 'You have a visit soon',
      privateText: {
        title: `Visit ${role === 'buyer' ? 'by' : 'to'} ${getOtherName(row, role)}`,
        body: `${formatVisitTime(toVisitTime(time), timeZone)}, ${formatTimeZone(timeZone)}`,
      },
      path: paths.conversation(row.conversation_id),
      tag: `visit-${row.id}`,
    }));
  }
}

/** For the check `visit_ahead` of mails: whether the visit of a reminder is still ahead, at the time that the reminder names. */
export async function isVisitAhead({ db, clock }: Pick<Context, 'db' | 'clock'>, key: string): Promise<boolean> {
  const [id = '', sequence = ''] = key.split(' ');
  const row = await queries.findVisit(db, id);
  return row !== undefined && isAgreed(row.status) && row.sequence === Number(sequence) && !hasBegun(row, clock.now());
}
