import { dayMs } from '@handwise/contract/dates';
import { formatAnswering, maxOthersAsked, unansweredInARow } from '@handwise/contract/messages/reply-time';
import { paths } from '@handwise/contract/paths';
import { getRegionTimeZone } from '@handwise/contract/places/regions';
import { defaultRadiusKm } from '@handwise/contract/search/filters';
import type { Others } from '@handwise/contract/unanswered/calls';
import type { Context } from '../../kit/context.ts';
import type { Db, Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { type Mail, sendMail } from '../../kit/mail/mail.ts';
import { findOpeningHours, isHidden, listActiveByNumbers } from '../listings/listings.service.ts';
import {
  type MessageHooks,
  countNewConversation,
  countSentMessage,
  findConversationOfUser,
  findMailReader,
  listAnswering,
  type MailReader,
  type MessageContext,
  passOnFirstMessage,
  type Role,
} from '../messages/messages.service.ts';
import { findLocality, findMainTown, listPlacesByName } from '../places/places.service.ts';
import { sendPush } from '../push/push.service.ts';
import { createSearchIndex, type SearchFilter, toPlaceFilter, updateAnswering } from '../search/search.service.ts';
import * as emails from './unanswered.emails.ts';
import * as queries from './unanswered.queries.ts';
import { listDueSteps, planSteps, type Step } from './unanswered.rules.ts';

export const { countReminders } = queries;

/** Rows of one run; the rest waits for the next. */
const batchSize = 500;
/** Matches among which those who answer are looked for. */
const lookedAt = 200;
/** A business that is told of a late answer must have been asked within this time. */
const lateAnswerMs = 90 * dayMs;

const getTimeZone = ({ region_code, country }: Pick<queries.Facts, 'region_code' | 'country'>) => getRegionTimeZone(region_code, country);

/** Plans what follows if nobody answers, in the transaction that begins the conversation. */
export const planReminders: MessageHooks['onContacted'] = async (tx, { conversationId, listingId, at }) => {
  const { hours, timeZone } = await findOpeningHours(tx, listingId);
  await queries.insertReminder(tx, conversationId, planSteps(at, hours, timeZone));
};

/** A scheduled job that runs on one server at a time. One conversation that fails does not stop the others, and is tried again. */
export async function remindOfUnanswered(context: MessageContext): Promise<void> {
  const { db, clock, logger } = context;
  const due = await queries.listDueReminders(db, clock.now(), batchSize);
  const late = await queries.listLateAnswers(db, new Date(clock.now().getTime() - lateAnswerMs), batchSize);
  for (const [ids, work] of [
    [due, takeSteps],
    [late, tellOfLateAnswer],
  ] as const) {
    for (const id of ids) {
      await work(context, id).catch((error: unknown) => {
        logger.error({ err: error, conversationId: id }, 'what follows an unanswered message failed');
      });
    }
  }
}

async function takeSteps(context: MessageContext, conversationId: string): Promise<void> {
  const { db } = context;
  const slow = await db.transaction().execute(async (tx) => {
    const now = context.clock.now();
    const row = await queries.lockDueReminder(tx, conversationId, now);
    if (!row) return undefined;
    const facts = await queries.getFacts(tx, conversationId);
    if (isOver(facts)) {
      await queries.updateReminder(tx, conversationId, { next_due_at: null });
      return undefined;
    }
    const { due, next } = listDueSteps(row, now);
    for (const step of due) await steps[step](context, tx, conversationId, facts);
    await queries.updateReminder(tx, conversationId, { next_due_at: next });
    const isLong = now.getTime() - facts.created_at.getTime() >= dayMs;
    return isLong && canRemind(facts) ? tellOfStreak(context, tx, conversationId, facts.seller_id) : undefined;
  });
  // Outside, because it locks all listings of the seller. The nightly job does the same.
  if (slow) await updateAnswering(context, [slow]);
}

/** Whether there is nobody left to remind or tell: an answer, a block, a closed request, a household that is gone. */
const isOver = (facts: queries.Facts) =>
  facts.answered_at !== null ||
  facts.is_blocked ||
  facts.closed_at !== null ||
  facts.buyer_deleted_at !== null ||
  facts.buyer_suspended_at !== null;

/** A listing that has ended or is paused keeps its conversations, so its business is reminded; one that moderators have hidden is not. */
const canRemind = (facts: queries.Facts) => facts.seller_deleted_at === null && facts.seller_suspended_at === null && !isHidden(facts);

type TakeStep = (context: MessageContext, tx: Tx, conversationId: string, facts: queries.Facts) => Promise<void>;

const remind =
  (isSecond: boolean): TakeStep =>
  async (context, tx, conversationId, facts) => {
    if (!canRemind(facts)) return;
    const about = { conversationId, at: facts.created_at, timeZone: getTimeZone(facts), text: facts.body, isSecond };
    const isMailed = await emailSide(context, tx, conversationId, 'seller', (to) => emails.waitingEmail(to, about));
    const isPushed = await pushReminder(context, tx, conversationId, facts.seller_id);
    if (!isMailed && !isPushed) return;
    const now = context.clock.now();
    await queries.updateReminder(tx, conversationId, isSecond ? { second_sent_at: now } : { first_sent_at: now });
  };

async function pushReminder(context: MessageContext, tx: Tx, conversationId: string, sellerId: string): Promise<boolean> {
  let hasDevices = false;
  await sendPush(tx, context, sellerId, () => {
    hasDevices = true;
    return {
      title: 'A customer is waiting for your answer',
      path: paths.conversation(conversationId),
      tag: `conversation-${conversationId}`,
    };
  });
  return hasDevices;
}

const tellHousehold: TakeStep = async (context, tx, conversationId, facts) => {
  // Somebody else has answered the same request, or its household knows already.
  if (facts.request_id !== null && (await queries.isRequestServed(tx, facts.request_id, conversationId))) return;
  const others = (await listCandidates(context, tx, facts)).length;
  const about = { conversationId, at: facts.created_at, timeZone: getTimeZone(facts), others };
  await emailSide(context, tx, conversationId, 'buyer', (to) => emails.noAnswerEmail(to, about));
  // The conversation says it from now on, whether or not an email could be sent.
  await queries.updateReminder(tx, conversationId, { household_told_at: context.clock.now() });
};

const steps: Record<Step, TakeStep> = { first: remind(false), second: remind(true), household: tellHousehold };

/** Returns the seller if their listings must stop saying how fast they answer. */
async function tellOfStreak(context: MessageContext, tx: Tx, conversationId: string, sellerId: string): Promise<string | undefined> {
  const [answering] = await listAnswering(context, tx, [sellerId]);
  if (!answering || answering.inRow < unansweredInARow) return undefined;
  if (!(await queries.isStreakTold(tx, sellerId))) {
    await emailSide(context, tx, conversationId, 'seller', (to) => emails.unansweredStreakEmail(to, conversationId));
    await queries.updateReminder(tx, conversationId, { streak_told_at: context.clock.now() });
  }
  return sellerId;
}

async function tellOfLateAnswer(context: MessageContext, conversationId: string): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    const row = await queries.lockReminder(tx, conversationId);
    if (!row || row.late_answer_told_at) return;
    const facts = await queries.getFacts(tx, conversationId);
    const passedOn = await queries.listPassedOn(tx, conversationId);
    const [first] = passedOn;
    if (first && canRemind(facts)) {
      const about = { conversationId, at: first.created_at, timeZone: getTimeZone(facts), asked: passedOn.length };
      await emailSide(context, tx, conversationId, 'seller', (to) => emails.othersAskedEmail(to, about));
    }
    await queries.updateReminder(tx, conversationId, { late_answer_told_at: context.clock.now() });
  });
}

/** Returns false without sending if that side gets no emails. */
async function emailSide(
  context: MessageContext,
  tx: Tx,
  conversationId: string,
  reader: Role,
  compose: (to: MailReader) => Mail,
): Promise<boolean> {
  const to = await findMailReader(context, tx, conversationId, reader);
  if (to) await context.jobs.send(tx, sendMail, compose(to));
  return to !== undefined;
}

/** Where the job is: the suburb or town of a quote request, else where the business that was asked is. */
function toFilter(facts: queries.Facts): SearchFilter {
  const [sub, group] =
    facts.asked_category === null ? [facts.sub_category_code, facts.category_code] : [facts.asked_sub_category, facts.asked_category];
  const category = sub === null ? ({ level: 'group', code: group } as const) : ({ level: 'sub', codes: [sub] } as const);
  const [named] = facts.asked_place === null ? [] : listPlacesByName(facts.asked_place, facts.country);
  const place = named && toPlaceFilter(named);
  if (place && 'near' in place) return { category, ...place };
  const base = facts.base_locality_code === null ? findMainTown(facts.district_code) : findLocality(facts.base_locality_code);
  if (!base) return { category, place: { level: 'district', code: facts.district_code } };
  const { latitude, longitude, code } = base;
  return { category, near: { latitude, longitude, km: defaultRadiusKm, locality: code } };
}

/** Up to three other businesses that do this work there and answer at least half of their messages, those who answer most first. No plan counts. */
async function listCandidates({ clock }: Pick<Context, 'clock'>, db: Reader, facts: queries.Facts) {
  const filter = toFilter(facts);
  const page = { skip: 0, take: lookedAt };
  const { numbers } = await createSearchIndex(db).match({ filter, words: '' }, 'recommended', page);
  const rows = (await listActiveByNumbers(db, numbers)).filter(({ seller_id: id }) => id !== facts.seller_id && id !== facts.buyer_id);
  const sellerIds = [...new Set(rows.map((row) => row.seller_id))];
  const [answering, unaskable] = await Promise.all([
    listAnswering({ clock }, db, sellerIds),
    queries.listUnaskable(db, facts.buyer_id, sellerIds),
  ]);
  const answeringOf = new Map(answering.map((one) => [one.sellerId, one]));
  const firstOf = new Map(rows.toReversed().map((row) => [row.seller_id, row]));
  return [...firstOf.values()]
    .flatMap((row) => {
      const one = answeringOf.get(row.seller_id);
      return one && one.given > 0 && one.given * 2 >= one.of && !unaskable.has(row.seller_id) ? [{ row, one }] : [];
    })
    .toSorted((a, b) => b.one.given / b.one.of - a.one.given / a.one.of || (a.one.minutes ?? Infinity) - (b.one.minutes ?? Infinity))
    .slice(0, maxOthersAsked)
    .map(({ row: { id, seller_id, business_title: business, service_title: serviceTitle }, one }) => ({
      id,
      seller_id,
      business,
      serviceTitle,
      answering: formatAnswering(one),
    }));
}

async function findOwnSide(db: Db, userId: string, conversationId: string) {
  const side = await findConversationOfUser(db, userId, conversationId);
  if (!side) throw new AppError('conversation_not_found');
  return side;
}

/** Whether the household was told that there is no answer, and there still is none. */
const isOpen = (row: { household_told_at: Date | null } | undefined, facts: queries.Facts) =>
  row !== undefined && row.household_told_at !== null && !isOver(facts);

/** What is offered to the household of a conversation; its business sees only how many others were asked. */
export async function getOthers(context: Context, userId: string, conversationId: string): Promise<Others> {
  const { db } = context;
  const { role } = await findOwnSide(db, userId, conversationId);
  const [row, facts, passedOn] = await Promise.all([
    queries.findReminder(db, conversationId),
    queries.getFacts(db, conversationId),
    queries.listPassedOn(db, conversationId),
  ]);
  const isHousehold = role === 'buyer';
  const unanswered = isHousehold && isOpen(row, facts);
  const left = maxOthersAsked - passedOn.length;
  const candidates = unanswered && left > 0 ? await listCandidates(context, db, facts) : [];
  return {
    unanswered,
    others: candidates
      .slice(0, left)
      .map(({ id, business, serviceTitle, answering }) => ({ listingId: id, business, serviceTitle, answering })),
    asked: passedOn.length,
    askedAt: passedOn[0]?.created_at.toISOString() ?? null,
    conversations: isHousehold ? passedOn.map((one) => ({ conversationId: one.to_conversation_id, business: one.business_title })) : [],
  };
}

/**
 * Sends the unanswered first message of a conversation to another business that is offered; idempotent. Throws `conversation_not_found`,
 * `others_not_offered`, and what a first message throws.
 */
export async function askOther(
  context: MessageContext,
  userId: string,
  conversationId: string,
  listingId: string,
  hooks: MessageHooks,
): Promise<string> {
  const { db, clock } = context;
  const { role } = await findOwnSide(db, userId, conversationId);
  if (role !== 'buyer') throw new AppError('conversation_not_found');
  const before = await findPassedOn(db, conversationId, listingId);
  if (before) return before;
  await countSentMessage(db, userId);
  await countNewConversation(db, userId);
  return db.transaction().execute(async (tx) => {
    const row = await queries.lockReminder(tx, conversationId);
    const known = await findPassedOn(tx, conversationId, listingId);
    if (known) return known;
    const facts = await queries.getFacts(tx, conversationId);
    const place = (await queries.listPassedOn(tx, conversationId)).length + 1;
    if (!isOpen(row, facts) || place > maxOthersAsked) throw new AppError('others_not_offered');
    const listing = (await listCandidates(context, tx, facts)).find(({ id }) => id === listingId);
    if (!listing) throw new AppError('others_not_offered');
    const id = await passOnFirstMessage(context, tx, { buyerId: userId, conversationId, listing }, hooks);
    await queries.insertPassedOn(tx, { conversation_id: conversationId, place, to_conversation_id: id, created_at: clock.now() });
    // The household knows that its message may go unanswered: it is told once.
    await queries.updateReminder(tx, id, { household_due_at: null });
    return id;
  });
}

const findPassedOn = async (db: Reader, conversationId: string, listingId: string) =>
  (await queries.listPassedOn(db, conversationId)).find((one) => one.listing_id === listingId)?.to_conversation_id;
