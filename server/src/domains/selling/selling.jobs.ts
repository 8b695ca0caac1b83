import { getRegionTimeZone } from '@handwise/contract/places/regions';
import { noticeDays } from '@handwise/contract/plans/table';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { type Mail, sendMail } from '../../kit/mail/mail.ts';
import { listContacts, loadMailAddresses } from '../accounts/accounts.service.ts';
import { isLive, isOpen, transitionListings, listStatusesBefore } from '../listings/listings.service.ts';
import { listLapsesToTell } from '../plans/plans.service.ts';
import { listReminded, takeDueReminders } from './selling.availability.queries.ts';
import { describeEnding } from './selling.availability.ts';
import { availabilityEndsEmail, listingsEndedEmail, listingsEndingEmail } from './selling.emails.ts';
import { insertNotices, listActiveListings, listEndedSubscriptions, listEndingSoon, lockEndedListings } from './selling.queries.ts';

export { isWeekAhead } from './selling.availability.ts';

export function sellingJobs(context: Context) {
  context.jobs.every('selling.expire-listings', '* * * * *', () => expireListings(context));
  context.jobs.every('selling.send-expiry-notices', '*/10 * * * *', () => warnOfExpiry(context));
  context.jobs.every('selling.send-availability-reminders', '*/10 * * * *', () => remindOfAvailability(context));
}

/** Plans warned per transaction. */
const warningBatch = 500;

/** Ended plans per transaction: more need more memory, fewer more time. */
const endedBatch = 250;

/** Concurrent transactions: one queues emails while another marks listings. */
const lanes = 2;

/** Bounds the memory for ended listings. */
const maxDue = 20_000;

type Listed = { id: string; service_title: string; business_email: string };
const toListed = ({ id, service_title: title, business_email: businessEmail }: Listed) => ({ id, title, businessEmail });

const toNamed = (row: Listed & Parameters<typeof isOpen>[0]) => ({ ...toListed(row), isOpen: isOpen(row) });

/** Expires the listings of ended subscriptions and emails their sellers once per subscription. */
export async function expireListings(context: Context, batch = endedBatch, most = maxDue): Promise<void> {
  const { db, clock } = context;
  for (let marked = 1; marked > 0;) {
    marked = 0;
    // oxlint-disable-next-line no-await-in-loop -- each turn takes what the ones before have left
    const due = await listEndedSubscriptions(db, clock.now(), most);
    const work = async (lane: number) => {
      // Each lane starts at its own place, so that they share few counters.
      const next = () => due.splice(Math.floor((due.length * lane) / lanes), batch);
      for (let some = next(); some.length > 0; some = next()) {
        // oxlint-disable-next-line no-await-in-loop -- one batch after the other, so that others get at the counters in between
        const found = await expireBatch(context, some);
        marked += found;
      }
    };
    // Waits for all lanes, so that none still runs after a failure is reported.
    // oxlint-disable-next-line no-await-in-loop -- see above
    const ended = await Promise.allSettled(Array.from({ length: lanes }, (_, lane) => work(lane)));
    const failed = ended.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
  }
}

/** Returns how many listings were marked: none if other transactions hold them. */
function expireBatch(context: Context, subscriptionIds: readonly string[]): Promise<number> {
  return context.db.transaction().execute(async (tx) => {
    const ended = await lockEndedListings(tx, subscriptionIds, listStatusesBefore('expired'), context.clock.now());
    const plans = Map.groupBy(ended.filter(isLive), (listing) => listing.subscription_id);
    const lapses = await listLapsesToTell(tx, [...plans.keys()]);
    const unnotified = await insertNotices(
      tx,
      'ended',
      [...plans.keys()].filter((id) => !lapses.has(id)),
    );
    const notices = [...plans].flatMap(([id, [first, ...others]]) =>
      first && unnotified.has(id)
        ? [{ sellerId: first.seller_id, listings: [first, ...others].map(toNamed), mail: listingsEndedEmail }]
        : [],
    );
    await emailSellers<Ended>(context, tx, notices);
    // Last, because other listings of the same category and place wait for the counters until the commit.
    await transitionListings(tx, ended, 'expired', 'owner');
    return ended.length;
  });
}

/** Warns sellers twice before the end (`noticeDays`), once each; after a downtime it may send only the second. */
export async function warnOfExpiry(context: Context, batch = warningBatch): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
  for (const { kind, fromHours, untilHours } of [
    { kind: 'day', fromHours: 0, untilHours: noticeDays.last * 24 },
    { kind: 'week', fromHours: noticeDays.last * 24, untilHours: noticeDays.first * 24 },
  ] as const) {
    for (let found = batch; found === batch;) {
      // oxlint-disable-next-line no-await-in-loop -- each batch takes what the ones before have left
      found = await db.transaction().execute(async (tx) => {
        const ending = await listEndingSoon(tx, kind, inHours(fromHours), inHours(untilHours), batch);
        const ids = ending.map(({ id }) => id);
        const unnotified = await insertNotices(tx, kind, ids);
        const listings = Map.groupBy(await listActiveListings(tx, [...unnotified]), (listing) => listing.subscription_id);
        const notices = ending.map(({ id, user_id: sellerId, ends_at: endsAt }) => ({
          sellerId,
          listings: (listings.get(id) ?? []).map(toEnding),
          mail: (reader: Reader, some: readonly [Ending, ...Ending[]]) => listingsEndingEmail(reader, some, endsAt, now),
        }));
        await emailSellers<Ending>(context, tx, notices);
        return ending.length;
      });
    }
  }
}

/** Reminds sellers once that an availability ends; one email for all that are due to an address. */
export async function remindOfAvailability(context: Context, batch = warningBatch): Promise<void> {
  const now = context.clock.now();
  for (let found = batch; found === batch;) {
    // oxlint-disable-next-line no-await-in-loop -- each batch takes what the ones before have left
    found = await context.db.transaction().execute(async (tx) => {
      const due = await takeDueReminders(tx, now, batch);
      const reminded = (await listReminded(tx, due, now)).flatMap((row) => {
        const ending = describeEnding(row, now, getRegionTimeZone(row.region_code, row.country));
        return ending ? [{ ...toListed(row), sellerId: row.seller_id, ...ending }] : [];
      });
      const notices = [...Map.groupBy(reminded, ({ sellerId }) => sellerId)].map(([sellerId, listings]) => ({
        sellerId,
        listings,
        mail: availabilityEndsEmail,
      }));
      await emailSellers<(typeof reminded)[number]>(context, tx, notices);
      return due.length;
    });
  }
}

const toEnding = (row: Awaited<ReturnType<typeof listActiveListings>>[number]) => ({
  ...toNamed(row),
  timeZone: getRegionTimeZone(row.region_code, row.country),
});

type Ended = ReturnType<typeof toNamed>;
type Ending = ReturnType<typeof toEnding>;
type Reader = { to: string; name: string; appUrl: string };

/** The listings that a seller is emailed about, and the email. */
type SellerNotice<Listing> = {
  sellerId: string;
  listings: readonly Listing[];
  mail(reader: Reader, listings: readonly [Listing, ...Listing[]]): Mail;
};

/** Emails sellers about their listings, grouped by the address for each listing. Suspended sellers get nothing. */
export async function emailSellers<Listing extends { businessEmail: string }>(
  { jobs, appUrl }: Context,
  tx: Tx,
  notices: readonly SellerNotice<Listing>[],
): Promise<void> {
  const sellerIds = [...new Set(notices.map(({ sellerId }) => sellerId))];
  const sellers = new Map((await listContacts(tx, sellerIds)).map((one) => [one.id, one]));
  const addressOf = await loadMailAddresses(tx, sellerIds);
  const mails = notices.flatMap(({ sellerId, listings, mail }) => {
    const seller = sellers.get(sellerId);
    if (!seller || seller.suspended_at) return [];
    const byAddress = Map.groupBy(listings, ({ businessEmail }) => addressOf(seller, businessEmail));
    return [...byAddress].flatMap(([to, [first, ...others]]) =>
      first ? mail({ to, name: seller.full_name, appUrl }, [first, ...others]) : [],
    );
  });
  await jobs.sendAll(tx, sendMail, mails);
}
