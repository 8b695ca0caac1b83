import { sql } from 'kysely';
import { dayMs, formatDate } from '@handwise/contract/dates';
import { paths } from '@handwise/contract/paths';
import { licenceGraceDays } from '@handwise/contract/periods';
import { getRegionTimeZone } from '@handwise/contract/places/regions';
import { licenceDisclaimer } from '@handwise/contract/registers/licences';
import { site } from '@handwise/contract/site/site';
import type { Context } from '../../kit/context.ts';
import type { Reader as Db, Tx } from '../../kit/database/database.ts';
import { anyId } from '../../kit/database/sql-helpers.ts';
import { formatGreeting, type Mail, type MailBlock } from '../../kit/mail/mail.ts';
import { isLive, transitionListing } from '../listings/listings.service.ts';
import { findLicenceQuestion, type LicenceQuestion } from '../registers/registers.service.ts';
import { emailSellers } from './selling.jobs.ts';

// A listing that lacks what the law asks for, because it is from before or the law has changed, has 30 days. Its seller is told at once,
// a week before the end, and when it is paused: once each, in the transaction that records it.

const active = sql.lit('active' as const);

const columns = [
  'listings.id',
  'listings.seller_id',
  'listings.status',
  'listings.service_title',
  'listings.business_email',
  'listings.country',
  'listings.region_code',
  'listings.category_code',
  'listings.sub_category_code',
  'listings.licence_register',
  'listings.licence_number',
  'listings.licence_name',
  'listings.licence_class',
  'listings.licence_exemption',
  'listings.licence_below_limit',
  'listings.licence_limit_minor',
] as const;

/** Active listings without a licence or an exemption. Whether their law takes a limit is another question. */
const selectWithout = (db: Db) =>
  db.selectFrom('listings').where('status', '=', active).where('licence_class', 'is', null).where('licence_exemption', 'is', null);

type Row = { id: string; seller_id: string; service_title: string; business_email: string; country: 'NZ' | 'AU'; region_code: number };
type Concerned = { id: string; title: string; businessEmail: string; due: string; takesBelowLimit: boolean };
type Reader = { to: string; name: string; appUrl: string };

const toConcerned = (
  { id, service_title: title, business_email: businessEmail, country, region_code: region }: Row,
  dueAt: Date,
  takesBelowLimit: boolean,
): Concerned => ({
  id,
  takesBelowLimit,
  title,
  businessEmail,
  due: formatDate(dueAt, getRegionTimeZone(region, country)),
});

const buttons = ({ appUrl }: Reader, listings: readonly Concerned[]): MailBlock[] =>
  listings.map(({ id, title }) => ({ kind: 'button', label: `Name the licence of “${title}”`, url: appUrl + paths.editListing(id) }));

/** "Name yours, or say which exemption applies" */
const formatAnswers = (listings: readonly Concerned[]) =>
  !listings.some(({ takesBelowLimit }) => takesBelowLimit)
    ? 'Name yours, or say which exemption applies'
    : listings.every(({ takesBelowLimit }) => takesBelowLimit)
      ? 'Name yours, say which exemption applies, or that you only take work below the limit'
      : 'Name yours, say which exemption applies, or, where the law has a limit, that you only take work below it';

const askingEmail =
  (subject: (due: string) => string) =>
  (reader: Reader, listings: readonly [Concerned, ...Concerned[]]): Mail => ({
    to: reader.to,
    subject: subject(listings[0].due),
    preview: 'The law asks for a licence for this work.',
    greeting: formatGreeting(reader.name),
    blocks: [
      {
        kind: 'text',
        text: `The law asks for a licence for this work where you are. ${formatAnswers(listings)}, by ${listings[0].due}. Until then nothing changes; after that your listing is paused, and you can reactivate it at no extra cost once you have answered.`,
      },
      ...buttons(reader, listings),
      { kind: 'note', text: licenceDisclaimer },
    ],
  });

const tellEmail = askingEmail((due) => `Name your licence on ${site.name} by ${due}`);
const remindEmail = askingEmail((due) => `A week left to name your licence: ${due}`);

const pausedEmail = (reader: Reader, listings: readonly [Concerned, ...Concerned[]]): Mail => ({
  to: reader.to,
  subject: `Paused until you name your licence: ${listings.length === 1 ? 'your listing' : `${listings.length} listings`} on ${site.name}`,
  preview: 'Name it, then reactivate at no extra cost.',
  greeting: formatGreeting(reader.name),
  blocks: [
    {
      kind: 'text',
      text: `The law asks for a licence for this work where you are, and your listing does not answer that. People can no longer find it. ${formatAnswers(listings)}; then reactivate it in My listings, at no extra cost while your plan runs.`,
    },
    ...buttons(reader, listings),
    { kind: 'note', text: licenceDisclaimer },
  ],
});

const bySeller = (rows: readonly (Row & { dueAt: Date; takesBelowLimit: boolean })[], mail: typeof tellEmail) =>
  [...Map.groupBy(rows, ({ seller_id: sellerId }) => sellerId)].map(([sellerId, own]) => ({
    sellerId,
    listings: own.map((row) => toConcerned(row, row.dueAt, row.takesBelowLimit)),
    mail,
  }));

const batchSize = 200;

export async function tellOfLicences(context: Context, batch = batchSize): Promise<void> {
  await forgetPaused(context.db);
  await tellNew(context, batch);
  await settleNotices(context, batch);
}

/** Tells the sellers of listings that lack an answer and have no notice. */
async function tellNew(context: Context, batch: number): Promise<void> {
  const { db, clock } = context;
  const works = await selectWithout(db)
    .select(['country', 'region_code', 'category_code', 'sub_category_code'])
    .groupBy(['country', 'region_code', 'category_code', 'sub_category_code'])
    .execute();
  for (const work of works) {
    // oxlint-disable-next-line no-await-in-loop -- one kind of work after the other
    const question = await findLicenceQuestion(db, work);
    if (!question) continue;
    const tell = (tx: Tx) => tellSome(context, tx, work, question, batch, clock.now());
    // oxlint-disable-next-line no-await-in-loop -- each batch takes what the ones before have left
    while ((await db.transaction().execute(tell)) === batch);
  }
}

type Work = { country: 'NZ' | 'AU'; region_code: number; category_code: number; sub_category_code: number | null };

async function tellSome(
  context: Context,
  tx: Tx,
  work: Work,
  { takesBelowLimit, limitMinor }: LicenceQuestion,
  batch: number,
  now: Date,
): Promise<number> {
  const rows = await selectWithout(tx)
    .select(columns)
    .where('country', '=', work.country)
    .where('region_code', '=', work.region_code)
    .where('category_code', '=', work.category_code)
    .where(sql<boolean>`sub_category_code is not distinct from ${work.sub_category_code}`)
    // A limit that was named is no answer where the law has none any more, or a lower one.
    .$if(takesBelowLimit, (query) =>
      query.where(({ eb, or }) => or([eb('licence_below_limit', '=', false), eb('licence_limit_minor', '>', limitMinor)])),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('licence_notices').select('listing_id').whereRef('listing_id', '=', 'listings.id'))),
    )
    .orderBy('listing_number')
    .limit(batch)
    .execute();
  if (rows.length === 0) return 0;
  const dueAt = new Date(now.getTime() + licenceGraceDays.all * dayMs);
  const told = await tx
    .insertInto('licence_notices')
    .values(rows.map(({ id }) => ({ listing_id: id, told_at: now, due_at: dueAt })))
    // Another server has just told them.
    .onConflict((conflict) => conflict.doNothing())
    .returning('listing_id')
    .execute();
  const ids = new Set(told.map(({ listing_id: id }) => id));
  await emailSellers(
    context,
    tx,
    bySeller(
      rows.filter(({ id }) => ids.has(id)).map((row) => ({ ...row, dueAt, takesBelowLimit })),
      tellEmail,
    ),
  );
  return rows.length;
}

/** A listing that was paused and is back answered then. When the law changes again, it is asked again. */
const forgetPaused = (db: Db) =>
  db
    .deleteFrom('licence_notices')
    .using('listings')
    .whereRef('listings.id', '=', 'listing_id')
    .where('paused_at', 'is not', null)
    .where('listings.status', '=', 'active')
    .execute();

/** Ends notices that are answered, reminds, and pauses. */
async function settleNotices(context: Context, batch: number): Promise<void> {
  const { db, clock, events } = context;
  let after = '00000000-0000-0000-0000-000000000000';
  for (let found = batch; found === batch;) {
    const settle = async (tx: Tx) => {
      const now = clock.now();
      const rows = await tx
        .selectFrom('licence_notices')
        .innerJoin('listings', 'listings.id', 'listing_id')
        .select(columns)
        .select(['due_at as dueAt', 'reminded_at'])
        .where('paused_at', 'is', null)
        .where('listing_id', '>', after)
        .orderBy('listing_id')
        .limit(batch)
        .forUpdate()
        .skipLocked()
        .execute();
      const last = rows.at(-1);
      const answered: string[] = [];
      const lacking: ((typeof rows)[number] & { takesBelowLimit: boolean })[] = [];
      for (const row of rows) {
        // oxlint-disable-next-line no-await-in-loop -- one connection
        const question = await findLicenceQuestion(tx, row);
        if (isLive(row) && question?.isLacking(row)) lacking.push({ ...row, takesBelowLimit: question.takesBelowLimit });
        else answered.push(row.id);
      }
      if (answered.length > 0) await tx.deleteFrom('licence_notices').where('listing_id', '=', anyId(answered)).execute();
      const due = lacking.filter(({ dueAt }) => dueAt <= now);
      const remindFrom = new Date(now.getTime() + licenceGraceDays.reminder * dayMs);
      const soon = lacking.filter((row) => row.dueAt > now && row.dueAt <= remindFrom && row.reminded_at === null);
      const mark = (ids: readonly { id: string }[], change: { reminded_at: Date } | { paused_at: Date }) =>
        tx
          .updateTable('licence_notices')
          .set(change)
          .where('listing_id', '=', anyId(ids.map(({ id }) => id)))
          .execute();
      if (soon.length > 0) await mark(soon, { reminded_at: now });
      await emailSellers(context, tx, bySeller(soon, remindEmail));
      if (due.length > 0) await mark(due, { paused_at: now });
      await emailSellers(context, tx, bySeller(due, pausedEmail));
      // Last, because other listings of the same category and place wait for the counters until the commit.
      // oxlint-disable-next-line no-await-in-loop -- one connection
      for (const row of due) await transitionListing(tx, row, 'inactive');
      return { found: rows.length, last: last?.id ?? after, paused: due.map(({ id }) => id) };
    };
    // oxlint-disable-next-line no-await-in-loop -- each batch takes what the ones before have left
    const settled = await db.transaction().execute(settle);
    ({ found, last: after } = settled);
    if (settled.paused.length > 0) events.emit('listings', settled.paused);
  }
}
