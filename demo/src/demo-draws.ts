import { createHash } from 'node:crypto';
import type { EntrySource } from '@handwise/contract/tickets/calls';
import { roundTime, sandboxChain } from '@handwise/proof/beacon';
import { closeDueDraws, completeDueDraws, getDrawManagement, payPrize, submitClaim } from '@handwise/server/domains/draws/draws.service';
import type { DrawContext } from '@handwise/server/domains/draws/draws.service';
import {
  getClosingTime,
  issueTickets,
  type Month,
  drawMonthAt,
  previousMonth,
  formatMonth,
} from '@handwise/server/domains/tickets/tickets.service';
import type { Env } from '@handwise/server/env';
import type { Db } from '@handwise/server/kit/database';
import { withDemoContext } from './demo-context.ts';
import { randomFrom, getSeed } from './random.ts';

type Planned = { entryId: string; userId: string; tickets: number; source: EntrySource; at: Date };

const day = 86_400_000;
const kinds: readonly { source: EntrySource; tickets: number }[] = [
  { source: 'signup', tickets: 1 },
  { source: 'signup', tickets: 1 },
  { source: 'referral', tickets: 1 },
  { source: 'listing', tickets: 5 },
  { source: 'other', tickets: 3 },
];
const people = 48;

/** Creates last month's completed and paid draw, and this month's tickets, through the product's services. An interrupted run continues at the next start. */
export const fillDemoDraws = (env: Env, databaseUrl: string, now = new Date()): Promise<void> =>
  withDemoContext(env, databaseUrl, async (context, clock) => {
    const { db } = context;
    const administrator = await findByEmail(db, 'admin@example.com');
    if (!administrator || (await isFilled(db))) return;
    const month = drawMonthAt(now);
    const last = previousMonth(month);
    const closing = getClosingTime(last);
    const begins = new Date(getClosingTime(previousMonth(last)).getTime() + day);

    const entrants = await listEntrants(db, begins);
    for (const entry of plan(last, entrants, begins, closing)) await issue(context, clock, entry);
    clock.time = closing;
    await closeDueDraws(context);
    await completeWhenOut(context, clock);
    const drawn = clock.time;
    // At most five days after the draw, less if the month has just begun.
    const later = (part: number) => new Date(drawn.getTime() + Math.min(5 * day, now.getTime() - drawn.getTime()) * part);
    for (const entry of plan(month, entrants.slice(0, people / 2), drawn, now)) await issue(context, clock, entry);
    clock.time = later(0.4);
    // Last, because `isFilled` looks for the payment.
    await claimAndPay(context, clock, administrator, later(0.8));
  });

/** Deterministic per month. */
function plan(month: Month, entrants: readonly string[], from: Date, to: Date): Planned[] {
  const name = formatMonth(month);
  const random = randomFrom(getSeed('draw', name));
  return entrants.map((userId, index) => ({
    ...random.pick(kinds),
    entryId: createHash('sha256').update(`demo ${name} ${index}`).digest('hex').slice(0, 32),
    userId,
    // The log has a resolution of one second.
    at: new Date(Math.floor((from.getTime() + ((index + 0.5) / entrants.length) * (to.getTime() - from.getTime())) / 1000) * 1000),
  }));
}

async function issue(context: DrawContext, clock: { time: Date }, { at, ...entry }: Planned): Promise<void> {
  const known = await context.db.selectFrom('draw_entries').select('id').where('id', '=', entry.entryId).executeTakeFirst();
  if (known) return;
  clock.time = at;
  await context.db.transaction().execute((tx) => issueTickets(tx, context, entry));
}

async function completeWhenOut(context: DrawContext, clock: { time: Date }): Promise<void> {
  const waiting = await context.db.selectFrom('draws').select('round').where('status', '=', 'waiting').executeTakeFirst();
  if (waiting?.round) clock.time = new Date(roundTime(sandboxChain, waiting.round));
  await completeDueDraws(context);
}

async function claimAndPay(context: DrawContext, clock: { time: Date }, adminId: string, paidAt: Date): Promise<void> {
  const { pastDraws } = await getDrawManagement(context);
  const [draw] = pastDraws;
  if (draw?.winner?.userId && draw.paymentStatus === 'pending') {
    const details = { bankName: 'Kiwibank', accountHolder: draw.winner.userId.fullName, accountNumber: '38-9000-0123458-00' };
    await submitClaim(context, draw.winner.userId._id, { ...details, currency: 'NZD', livesIn: 'NZ' });
  }
  clock.time = paidAt;
  if (draw && draw.paymentStatus !== 'paid') await payPrize(context, { drawId: draw._id, adminId, reason: 'Paid by bank transfer.' });
}

const isFilled = async (db: Db) =>
  (await db.selectFrom('draws').select('id').where('prize', '=', 'paid').limit(1).executeTakeFirst()) !== undefined;

const findByEmail = async (db: Db, email: string) =>
  (await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst())?.id;

/** Demo users who registered before the month, the demo buyer and seller first. */
async function listEntrants(db: Db, before: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'user')
    .where('email_confirmed_at', 'is not', null)
    .where('suspended_at', 'is', null)
    .where((is) => is.or([is('created_at', '<', before), is('email', 'in', ['seller@example.com', 'buyer@example.com'])]))
    .orderBy(({ eb }) => eb('email', 'not in', ['seller@example.com', 'buyer@example.com']))
    .orderBy('id')
    .limit(people)
    .execute();
  return rows.map(({ id }) => id);
}
