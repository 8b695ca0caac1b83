import { randomUUID } from 'node:crypto';
import { dayMs } from '@handwise/contract/dates';
import type { Context } from '../../kit/context.ts';
import type { Reader } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { isValidSignature, signText } from '../../kit/secrets/tokens.ts';
import { buildFeed } from './visits.calendar.ts';
import * as queries from './visits.queries.ts';
import { getRole } from './visits.views.ts';

const feedDays = 90;
const maxFeedVisits = 1_000;
const feedDigits = 32;

/** Null without an address. */
export async function getFeedState(db: Reader, userId: string) {
  const feed = await queries.findFeed(db, userId);
  return { createdAt: feed?.created_at.toISOString() ?? null };
}

/** The secret address of a user's visits, made if there is none, or instead of the old one. */
export async function showFeed({ db, clock, appUrl }: Context, userId: string, renew: boolean) {
  const feed = { user_id: userId, id: randomUUID(), created_at: clock.now() };
  await (renew ? queries.replaceFeed : queries.ensureFeed)(db, feed);
  const found = await queries.findFeed(db, userId);
  if (!found) throw new Error('the address was ended while it was shown');
  const token = `${found.id}.${await signText(db, 'calendars', found.id, feedDigits)}`;
  return { createdAt: found.created_at.toISOString(), url: `${appUrl}/api/visits/feed.ics?token=${token}` };
}

export async function endFeed(db: Reader, userId: string) {
  await queries.deleteFeed(db, userId);
  return { createdAt: null };
}

/** Throws `visit_feed_not_found`. */
export async function readFeed({ db, clock, appUrl }: Context, token: string): Promise<string> {
  const [id = '', signature = ''] = token.split('.');
  const isRight = /^[0-9a-f-]{36}$/.test(id) && (await isValidSignature(db, 'calendars', id, signature, feedDigits));
  const owner = isRight ? await queries.findFeedOwner(db, id) : undefined;
  if (!owner) throw new AppError('visit_feed_not_found');
  const from = new Date(clock.now().getTime() - feedDays * dayMs);
  const rows = await queries.listAgreedVisits(db, owner.user_id, from, maxFeedVisits);
  return buildFeed(rows, { roleOf: (row) => getRole(row, owner.user_id), appUrl });
}
