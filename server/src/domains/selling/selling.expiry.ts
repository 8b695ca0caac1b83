import { noticeDays } from '@handwise/contract/plan-table';
import { countryCode } from '@handwise/contract/markets';
import { timeZoneOfRegion } from '@handwise/contract/places';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database.ts';
import { sendMail } from '../../kit/mail.ts';
import { findContact } from '../accounts/accounts.service.ts';
import { isLive, statusesBefore } from '../listings/listings.service.ts';
import { endedMail, endingMail } from './selling.mails.ts';
import * as queries from './selling.queries.ts';

const batch = 200;

type Told = { id: string; title: string };

const bySubscription = (listings: readonly queries.EndingListing[]) => {
  const groups = new Map<string, { sellerId: string; listings: Told[] }>();
  for (const { id, subscription_id: subscriptionId, seller_id: sellerId, service_title: title } of listings) {
    const group = groups.get(subscriptionId) ?? { sellerId, listings: [] };
    group.listings.push({ id, title });
    groups.set(subscriptionId, group);
  }
  return groups;
};

/** Marks the listings whose subscription has ended, and tells their sellers once for each subscription. */
export async function expireListings({ db, jobs, appUrl, clock }: Context): Promise<void> {
  for (let found = 1; found > 0;) {
    found = await db.transaction().execute(async (tx) => {
      const ended = await queries.expireListings(tx, statusesBefore('expired'), clock.now(), batch);
      const groups = bySubscription(ended.filter((listing) => isLive({ status: listing.was })));
      const untold = await queries.insertNotices(tx, 'ended', [...groups.keys()]);
      for (const [subscriptionId, { sellerId, listings }] of groups) {
        const reader = untold.has(subscriptionId) ? await readerOf(tx, sellerId, appUrl) : undefined;
        if (reader) await jobs.send(tx, sendMail, endedMail(reader, listings));
      }
      return ended.length;
    });
  }
}

/** Tells sellers twice before the end (`noticeDays`), each time once. A server that slept through the first tells the second only. */
export async function warnOfExpiry({ db, jobs, appUrl, clock }: Context): Promise<void> {
  const now = clock.now();
  const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
  for (const { kind, fromHours, untilHours } of [
    { kind: 'day', fromHours: 0, untilHours: noticeDays.last * 24 },
    { kind: 'week', fromHours: noticeDays.last * 24, untilHours: noticeDays.first * 24 },
  ] as const) {
    const ending = await queries.listEndingSoon(db, kind, inHours(fromHours), inHours(untilHours), batch);
    for (const subscription of ending) {
      await db.transaction().execute(async (tx) => {
        const untold = await queries.insertNotices(tx, kind, [subscription.id]);
        const [first, ...others] = (await queries.listActiveOf(tx, subscription.id)).map(asEnding);
        const reader = untold.size > 0 && first ? await readerOf(tx, subscription.user_id, appUrl) : undefined;
        if (reader && first) await jobs.send(tx, sendMail, endingMail(reader, [first, ...others], subscription.ends_at, now));
      });
    }
  }
}

const asEnding = (row: Awaited<ReturnType<typeof queries.listActiveOf>>[number]) => ({
  id: row.id,
  title: row.service_title,
  timeZone: timeZoneOfRegion(row.region_code, countryCode.parse(row.country)),
});

async function readerOf(tx: Tx, userId: string, appUrl: string) {
  const user = await findContact(tx, userId);
  return user.suspended_at ? undefined : { to: user.email, name: user.full_name, appUrl };
}
