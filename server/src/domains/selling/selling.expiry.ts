import { noticeDays } from '@handwise/contract/plans/table';
import { countryCode } from '@handwise/contract/markets';
import { timeZoneOfRegion } from '@handwise/contract/places/regions';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { type Mail, sendMail } from '../../kit/mail/mail.ts';
import { listContacts, mailAddresses } from '../accounts/accounts.service.ts';
import { isLive, moveAllTo, statusesBefore } from '../listings/listings.service.ts';
import { endedMail, endingMail } from './selling.mails.ts';
import * as queries from './selling.queries.ts';

/** So many plans are warned in one transaction. */
const usualBatch = 500;

/** So many that have ended are worked off in one transaction: more take more memory, fewer more time. */
const endedBatch = 250;

/** So many of these transactions run at once: while the mails of one are written, the listings of another are marked. */
const lanes = 2;

/** So many listings that have ended are looked up at once: however many there are, this process holds no more of them. */
const mostDue = 20_000;

type Listed = { id: string; service_title: string; business_email: string };
const toldOf = ({ id, service_title: title, business_email: businessEmail }: Listed) => ({ id, title, businessEmail });

/** Marks the listings whose subscription has ended, and tells their sellers once for each subscription. */
export async function expireListings(context: Context, batch = endedBatch, most = mostDue): Promise<void> {
  const { db, clock } = context;
  for (let marked = 1; marked > 0;) {
    marked = 0;
    // oxlint-disable-next-line no-await-in-loop -- each turn takes what the ones before have left
    const due = await queries.listEnded(db, clock.now(), most);
    const work = async (lane: number) => {
      // Each from a place of its own, so that they have few counters in common.
      const next = () => due.splice(Math.floor((due.length * lane) / lanes), batch);
      for (let some = next(); some.length > 0; some = next()) {
        // oxlint-disable-next-line no-await-in-loop -- one batch after the other, so that others get at the counters in between
        const found = await expireBatch(context, some);
        marked += found;
      }
    };
    // Where one fails, nothing runs on behind the back of whoever is told so.
    // oxlint-disable-next-line no-await-in-loop -- see above
    const ended = await Promise.allSettled(Array.from({ length: lanes }, (_, lane) => work(lane)));
    const failed = ended.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
  }
}

/** Resolves to how many listings were marked: none where others mark them or change them now. */
function expireBatch(context: Context, subscriptionIds: readonly string[]): Promise<number> {
  return context.db.transaction().execute(async (tx) => {
    const ended = await queries.lockEnded(tx, subscriptionIds, statusesBefore('expired'), context.clock.now());
    const plans = Map.groupBy(ended.filter(isLive), (listing) => listing.subscription_id);
    const untold = await queries.insertNotices(tx, 'ended', [...plans.keys()]);
    const told = [...plans].flatMap(([id, [first, ...others]]) =>
      first && untold.has(id) ? [{ sellerId: first.seller_id, listings: [first, ...others].map(toldOf), mail: endedMail }] : [],
    );
    await mailSellers<Ended>(context, tx, told);
    // Last of all: from here to the commit whoever changes a listing of the same words or place waits for its counters.
    await moveAllTo(tx, ended, 'expired', 'owner');
    return ended.length;
  });
}

/** Tells sellers twice before the end (`noticeDays`), each time once. A server that slept through the first tells the second only. */
export async function warnOfExpiry(context: Context, batch = usualBatch): Promise<void> {
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
        const ending = await queries.listEndingSoon(tx, kind, inHours(fromHours), inHours(untilHours), batch);
        const ids = ending.map(({ id }) => id);
        const untold = await queries.insertNotices(tx, kind, ids);
        const listings = Map.groupBy(await queries.listActiveOf(tx, [...untold]), (listing) => listing.subscription_id);
        const told = ending.map(({ id, user_id: sellerId, ends_at: endsAt }) => ({
          sellerId,
          listings: (listings.get(id) ?? []).map(asEnding),
          mail: (reader: Reader, some: readonly [Ending, ...Ending[]]) => endingMail(reader, some, endsAt, now),
        }));
        await mailSellers<Ending>(context, tx, told);
        return ending.length;
      });
    }
  }
}

const asEnding = (row: Awaited<ReturnType<typeof queries.listActiveOf>>[number]) => ({
  ...toldOf(row),
  timeZone: timeZoneOfRegion(row.region_code, countryCode.parse(row.country)),
});

type Ended = ReturnType<typeof toldOf>;
type Ending = ReturnType<typeof asEnding>;
type Reader = { to: string; name: string; appUrl: string };

/** Of what somebody is told, and how. */
type Told<Listing> = {
  sellerId: string;
  listings: readonly Listing[];
  mail(reader: Reader, listings: readonly [Listing, ...Listing[]]): Mail;
};

/** Mails sellers about listings of theirs, each address about those whose mails go there. Who is suspended is mailed nothing. */
async function mailSellers<Listing extends { businessEmail: string }>(
  { jobs, appUrl }: Context,
  tx: Tx,
  told: readonly Told<Listing>[],
): Promise<void> {
  const sellerIds = [...new Set(told.map(({ sellerId }) => sellerId))];
  const sellers = new Map((await listContacts(tx, sellerIds)).map((one) => [one.id, one]));
  const addressOf = await mailAddresses(tx, sellerIds);
  const mails = told.flatMap(({ sellerId, listings, mail }) => {
    const seller = sellers.get(sellerId);
    if (!seller || seller.suspended_at) return [];
    const byAddress = Map.groupBy(listings, ({ businessEmail }) => addressOf(seller, businessEmail));
    return [...byAddress].flatMap(([to, [first, ...others]]) =>
      first ? mail({ to, name: seller.full_name, appUrl }, [first, ...others]) : [],
    );
  });
  await jobs.sendAll(tx, sendMail, mails);
}
