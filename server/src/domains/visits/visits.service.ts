import { randomUUID } from 'node:crypto';
import type { Visit, VisitTimesForm } from '@handwise/contract/visits/calls';
import { formatVisitTime, visitMessages } from '@handwise/contract/visits/words';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { countAttempt } from '../../kit/identity/attempts.ts';
import {
  checkCanWrite,
  findConversationOfUser,
  findWriteBlocks,
  lockConversation,
  type MessageContext,
  type Role,
  writeMessage,
} from '../messages/messages.service.ts';
import { buildVisitFile } from './visits.calendar.ts';
import * as emails from './visits.emails.ts';
import { emailSide, publishVisit } from './visits.notify.ts';
import * as queries from './visits.queries.ts';
import { getReminderTime, type ProposedTime, readTimes } from './visits.rules.ts';
import {
  changeVisitStatus,
  getVisitStateAt,
  hasBegun,
  isAgreed,
  isAsked,
  isCancelled,
  isChangeable,
  updateVisit,
} from './visits.states.ts';
import { getAgreedTime, getOtherName, getRole, getTimeZone, getUserOf, toVisit, toVisitTime } from './visits.views.ts';

export { endVisitsOfUser, getOwnVisitData } from './visits.own-data.ts';
export { endFeed, getFeedState, readFeed, showFeed } from './visits.feed.ts';
export { isVisitAhead, remindOfVisits } from './visits.reminders.ts';

/** Changes per person across all conversations. */
const changeLimit = { max: 60, windowSeconds: 60 * 60 };
const maxListed = 50;

const otherRole = (role: Role): Role => (role === 'buyer' ? 'seller' : 'buyer');

/**
 * Proposes times to the customer of a conversation; idempotent per `clientId`. Throws `conversation_not_found`, `not_the_business`, `visit_open`,
 * `blocked`, `blocked_by_you`, `member_left`, `too_many_requests`, `invalid_input`.
 */
export async function proposeVisit(
  context: MessageContext,
  userId: string,
  { conversationId, clientId, times: typed }: { conversationId: string; clientId: string; times: VisitTimesForm },
): Promise<Visit> {
  const { db, clock } = context;
  const side = await findConversationOfUser(db, userId, conversationId);
  if (!side) throw new AppError('conversation_not_found');
  if (side.role !== 'seller') throw new AppError('not_the_business');
  const known = await queries.findVisitByClientId(db, conversationId, clientId);
  if (known) return toVisit(known, userId, clock.now());
  const timeZone = getTimeZone(await queries.getListingPlace(db, conversationId));
  const times = readTimes(typed, clock.now(), timeZone);
  await countAttempt(db, `visits-by:${userId}`, changeLimit);
  const id = await db.transaction().execute(async (tx) => {
    const conversation = await lockConversation(tx, conversationId);
    if (!conversation) throw new AppError('conversation_not_found');
    const before = await queries.findVisitByClientId(tx, conversationId, clientId);
    if (before) return before.id;
    const now = clock.now();
    const open = await queries.findOpenVisit(tx, conversationId);
    if (open && getVisitStateAt(open.status, open.times, now) !== 'lapsed') throw new AppError('visit_open');
    if (open) await changeVisitStatus(tx, open, { status: 'lapsed' }, now);
    let created: string | undefined;
    await writeMessage(context, tx, conversation, 'seller', {
      text: visitMessages.proposed({ times: times.map(toVisitTime), timeZone }),
      clientId: randomUUID(),
      pictures: [],
      hasOwnEmail: true,
      onWritten: async ({ number }) => {
        const values = { conversation_id: conversationId, message_number: number, client_id: clientId, created_at: now };
        created = await queries.insertVisit(tx, values);
        await queries.replaceTimes(tx, created, times);
      },
    });
    if (created === undefined) throw new Error('the message of a visit was not written');
    const row = await queries.getVisit(tx, created);
    await publishVisit(tx, row);
    await emailSide(context, tx, row, 'buyer', emails.proposedEmail);
    return created;
  });
  return toVisit(await queries.getVisit(db, id), userId, clock.now());
}

/** The visits of a conversation, newest first, and the time zone of new ones. */
export async function listVisits({ db, clock }: Context, userId: string, conversationId: string) {
  const side = await findConversationOfUser(db, userId, conversationId);
  if (!side) throw new AppError('conversation_not_found');
  const [place, rows] = await Promise.all([
    queries.getListingPlace(db, conversationId),
    queries.listVisitsOfConversation(db, conversationId, maxListed),
  ]);
  const now = clock.now();
  return { timeZone: getTimeZone(place), visits: rows.map((row) => toVisit(row, userId, now)) };
}

async function getVisitOfUser(db: Reader, userId: string, id: string): Promise<queries.VisitRow> {
  const row = await queries.findVisitOfUser(db, userId, id);
  if (!row) throw new AppError('visit_not_found');
  return row;
}

type Change = { tx: Tx; row: queries.VisitRow; role: Role; now: Date; timeZone: string; say: (text: string) => Promise<void> };

/** Locks the conversation of a visit and runs `work` with the visit as it is then, unless `isDone` with it. */
async function changeVisit(
  context: MessageContext,
  userId: string,
  id: string,
  { revision, isDone }: { revision: number | undefined; isDone: (row: queries.VisitRow, role: Role) => boolean },
  work: (change: Change) => Promise<void>,
): Promise<Visit> {
  const { db, clock } = context;
  const { conversation_id: conversationId } = await getVisitOfUser(db, userId, id);
  await countAttempt(db, `visits-by:${userId}`, changeLimit);
  await db.transaction().execute(async (tx) => {
    const conversation = await lockConversation(tx, conversationId);
    if (!conversation) throw new AppError('visit_not_found');
    const row = await getVisitOfUser(tx, userId, id);
    const [role, now, timeZone] = [getRole(row, userId), clock.now(), getTimeZone(row)];
    if (isDone(row, role)) return;
    if (hasBegun(row, now)) throw new AppError('visit_over');
    if (revision !== undefined && revision !== row.revision) throw createChanged(row, role, now);
    const say = async (text: string) => {
      await writeMessage(context, tx, conversation, role, {
        text,
        clientId: randomUUID(),
        pictures: [],
        hasOwnEmail: true,
        onWritten: async ({ number }) => void (await queries.setMessageNumber(tx, id, number)),
      });
    };
    await work({ tx, row, role, now, timeZone, say });
    await publishVisit(tx, row);
  });
  return toVisit(await queries.getVisit(db, id), userId, clock.now());
}

/** What became of a visit that is not as its reader believed. */
function createChanged(row: queries.VisitRow, role: Role, now: Date): AppError {
  const agreed = getAgreedTime(row);
  const when = agreed && formatVisitTime(toVisitTime(agreed), getTimeZone(row));
  const state = getVisitStateAt(row.status, row.times, now);
  const isOwn = (by: Role | null) => by === role;
  const became = isCancelled(row.status)
    ? `${isOwn(row.cancelled_by) ? 'You have' : `${getOtherName(row, role)} has`} cancelled it.`
    : isAsked(row.status)
      ? 'Other times are wanted.'
      : state === 'lapsed'
        ? 'The proposed times have passed.'
        : row.proposed_by !== null
          ? `${isOwn(row.proposed_by) ? 'You have' : `${getOtherName(row, role)} has`} proposed other times.`
          : `It is agreed for ${when}.`;
  return new AppError('visit_changed', { message: `This visit has just changed. ${became} Nothing else was changed.` });
}

const isSameTime = (one: ProposedTime | null, start: string) => one !== null && one.starts_at.getTime() === Date.parse(start);

/** Idempotent. Throws `visit_not_found`, `visit_changed`, `visit_over`, `visit_time_gone`, `blocked`, `blocked_by_you`, `member_left`. */
export const takeVisit = (
  context: MessageContext,
  userId: string,
  id: string,
  { start, revision }: { start: string; revision?: number | undefined },
): Promise<Visit> =>
  changeVisit(
    context,
    userId,
    id,
    { revision, isDone: (row) => isAgreed(row.status) && row.proposed_by === null && isSameTime(getAgreedTime(row), start) },
    async ({ tx, row, role, now, timeZone, say }) => {
      checkCanWrite(await findWriteBlocks(tx, userId, getUserOf(row, otherRole(role))));
      const time = row.times.find((one) => isSameTime(one, start));
      // One's own proposal is for the other side to take.
      if (!time || row.proposed_by === role || !isChangeable(row.status)) throw createChanged(row, role, now);
      if (time.starts_at <= now) throw new AppError('visit_time_gone', { message: 'This time has passed. Nothing was changed.' });
      await queries.lockDiary(tx, row.seller_id);
      if (await queries.hasAgreedSince(tx, row, time)) throw new AppError('visit_time_gone');
      const isMoved = isAgreed(row.status);
      const agreed = { ...time, remind_at: getReminderTime(time.starts_at, timeZone, now) };
      if (isMoved) await updateVisit(tx, row, agreed, now);
      else await changeVisitStatus(tx, row, { status: 'agreed', ...agreed }, now);
      await queries.replaceTimes(tx, id, []);
      await say((isMoved ? visitMessages.moved : visitMessages.taken)(toVisitTime(time), timeZone));
      const changed = await queries.getVisit(tx, id);
      for (const reader of [otherRole(role), role]) await emailSide(context, tx, changed, reader, emails.agreedEmail(role));
    },
  );

/** Idempotent per `clientId`. Throws as `takeVisit`, and `not_the_business`, `invalid_input`. */
export async function moveVisit(
  context: MessageContext,
  userId: string,
  id: string,
  { clientId, times: typed, revision }: { clientId: string; times: VisitTimesForm; revision?: number | undefined },
): Promise<Visit> {
  return changeVisit(
    context,
    userId,
    id,
    { revision, isDone: (row) => row.client_id === clientId },
    async ({ tx, row, role, now, timeZone, say }) => {
      const times = readTimes(typed, now, timeZone);
      checkCanWrite(await findWriteBlocks(tx, userId, getUserOf(row, otherRole(role))));
      const agreed = isAgreed(row.status) ? getAgreedTime(row) : null;
      const state = getVisitStateAt(row.status, row.times, now);
      if (!isChangeable(state)) throw createChanged(row, role, now);
      if (!agreed && role !== 'seller') throw new AppError('not_the_business');
      const proposal = { client_id: clientId, proposed_by: role };
      if (isAsked(row.status)) await changeVisitStatus(tx, row, { status: 'proposed', ...proposal }, now);
      else await updateVisit(tx, row, proposal, now);
      await queries.replaceTimes(tx, id, times);
      const shown = { times: times.map(toVisitTime), timeZone };
      await say(agreed ? visitMessages.moving(toVisitTime(agreed), shown) : visitMessages.proposed(shown));
      await emailSide(context, tx, await queries.getVisit(tx, id), otherRole(role), emails.proposedEmail);
    },
  );
}

/** Throws as `takeVisit`. */
export const askForTimes = (
  context: MessageContext,
  userId: string,
  id: string,
  { note, revision }: { note: string; revision?: number | undefined },
): Promise<Visit> =>
  changeVisit(
    context,
    userId,
    id,
    { revision, isDone: (row, role) => isAsked(row.status) && role === 'buyer' },
    async ({ tx, row, role, now, timeZone, say }) => {
      checkCanWrite(await findWriteBlocks(tx, userId, getUserOf(row, otherRole(role))));
      if (row.proposed_by !== otherRole(role) || !isChangeable(row.status)) throw createChanged(row, role, now);
      const agreed = isAgreed(row.status) ? getAgreedTime(row) : null;
      if (agreed) await updateVisit(tx, row, { proposed_by: null }, now);
      else await changeVisitStatus(tx, row, { status: 'asked' }, now);
      await queries.replaceTimes(tx, id, []);
      await say(agreed ? visitMessages.stays(toVisitTime(agreed), timeZone, note) : visitMessages.asked(note));
      await emailSide(context, tx, await queries.getVisit(tx, id), otherRole(role), emails.askedEmail(note));
    },
  );

/** Possible in a blocked conversation too, then without a message. Throws `visit_not_found`, `visit_changed`, `visit_over`. */
export const cancelVisit = (
  context: MessageContext,
  userId: string,
  id: string,
  { reason, revision }: { reason: string; revision?: number | undefined },
): Promise<Visit> =>
  changeVisit(
    context,
    userId,
    id,
    { revision, isDone: (row, role) => isCancelled(row.status) && row.cancelled_by === role },
    async ({ tx, row, role, now, timeZone, say }) => {
      if (!isChangeable(row.status)) throw createChanged(row, role, now);
      const canWrite = await isWritable(tx, userId, getUserOf(row, otherRole(role)));
      // What one person writes must not reach another who has stopped their messages.
      const told = canWrite ? reason : '';
      const agreed = getAgreedTime(row);
      await changeVisitStatus(tx, row, { status: 'cancelled', cancelled_by: role, cancel_reason: told }, now);
      await queries.replaceTimes(tx, id, []);
      if (canWrite) await say(visitMessages.cancelled(agreed && toVisitTime(agreed), timeZone, told));
      const changed = await queries.getVisit(tx, id);
      for (const reader of agreed ? [otherRole(role), role] : [otherRole(role)]) {
        await emailSide(context, tx, changed, reader, emails.cancelledEmail);
      }
    },
  );

async function isWritable(tx: Tx, senderId: string, receiverId: string): Promise<boolean> {
  const stops = await findWriteBlocks(tx, senderId, receiverId);
  return stops !== undefined && !stops.blockedByReceiver && !stops.blockedBySender && !stops.isReceiverDeleted;
}

/** Throws `visit_not_found`, also for a visit that was never agreed. */
export async function getVisitFile({ db, appUrl }: Context, userId: string, id: string): Promise<string> {
  const row = await getVisitOfUser(db, userId, id);
  if (!getAgreedTime(row)) throw new AppError('visit_not_found');
  return buildVisitFile(row, { role: getRole(row, userId), appUrl });
}
