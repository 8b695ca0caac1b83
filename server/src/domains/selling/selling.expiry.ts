import { noticeDays } from '@handwise/contract/plan-table';
import { countryCode } from '@handwise/contract/markets';
import { timeZoneOfRegion } from '@handwise/contract/places';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { type Mail, sendMail } from '../../kit/mail/mail.ts';
import { findContact, type MailAddress, mailAddresses } from '../accounts/accounts.service.ts';
import { isLive, statusesBefore } from '../listings/listings.service.ts';
import { endedMail, endingMail } from './selling.mails.ts';
import * as queries from './selling.queries.ts';

const batch = 200;

type Told = { id: string; title: string; businessEmail: string };

const bySubscription = (listings: readonly queries.EndingListing[]) => {
  const groups = new Map<string, { sellerId: string; listings: Told[] }>();
  for (const {
    id,
    subscription_id: subscriptionId,
    seller_id: sellerId,
    service_title: title,
    business_email: businessEmail,
  } of listings) {
    const group = groups.get(subscriptionId) ?? { sellerId, listings: [] };
    group.listings.push({ id, title, businessEmail });
    groups.set(subscriptionId, group);
  }
  return groups;
};

/** Marks the listings whose subscription has ended, and tells their sellers once for each subscription. */
export async function expireListings(context: Context): Promise<void> {
  const { db, clock } = context;
  for (let found = 1; found > 0;) {
    found = await db.transaction().execute(async (tx) => {
      const ended = await queries.expireListings(tx, statusesBefore('expired'), clock.now(), batch);
      const groups = bySubscription(ended.filter((listing) => isLive({ status: listing.was })));
      const untold = await queries.insertNotices(tx, 'ended', [...groups.keys()]);
      const told = [...groups].flatMap(([subscriptionId, group]) => (untold.has(subscriptionId) ? group : []));
      const addressOf = await mailAddresses(
        tx,
        told.map(({ sellerId }) => sellerId),
      );
      for (const { sellerId, listings } of told) await mailOwner(context, tx, { sellerId, addressOf }, listings, endedMail);
      return ended.length;
    });
  }
}

/** Tells sellers twice before the end (`noticeDays`), each time once. A server that slept through the first tells the second only. */
export async function warnOfExpiry(context: Context): Promise<void> {
  const { db, clock } = context;
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
        if (untold.size === 0) return;
        const listings = (await queries.listActiveOf(tx, subscription.id)).map(asEnding);
        const { user_id: sellerId, ends_at: endsAt } = subscription;
        const addressOf = await mailAddresses(tx, [sellerId]);
        await mailOwner(context, tx, { sellerId, addressOf }, listings, (reader, some) => endingMail(reader, some, endsAt, now));
      });
    }
  }
}

const asEnding = (row: Awaited<ReturnType<typeof queries.listActiveOf>>[number]) => ({
  id: row.id,
  title: row.service_title,
  businessEmail: row.business_email,
  timeZone: timeZoneOfRegion(row.region_code, countryCode.parse(row.country)),
});

/** Mails a seller about several listings, each address about those whose mails go there. Who is suspended is mailed nothing. */
async function mailOwner<Listing extends { businessEmail: string }>(
  { jobs, appUrl }: Context,
  tx: Tx,
  { sellerId, addressOf }: { sellerId: string; addressOf: MailAddress },
  listings: readonly Listing[],
  compose: (reader: { to: string; name: string; appUrl: string }, listings: readonly [Listing, ...Listing[]]) => Mail,
): Promise<void> {
  const user = await findContact(tx, sellerId);
  if (user.suspended_at) return;
  for (const [to, [first, ...others]] of Map.groupBy(listings, ({ businessEmail }) => addressOf(user, businessEmail))) {
    if (first) await jobs.send(tx, sendMail, compose({ to, name: user.full_name, appUrl }, [first, ...others]));
  }
}
