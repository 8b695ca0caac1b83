import { fewestInMail, listingsInMail } from '@handwise/contract/alerts/calls';
import { countryCode } from '@handwise/contract/country-code';
import { paths } from '@handwise/contract/paths';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { signUnsubscribeLinks } from '../../kit/mail/mail-preferences.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { type Contact, lockFreeContacts } from '../accounts/accounts.service.ts';
import { listListingCards } from '../listings/listings.service.ts';
import type { SearchFilter } from '../search/search.service.ts';
import { alertEmail } from './alerts.emails.ts';
import * as queries from './alerts.jobs.queries.ts';
import { isDaytimeAt, type EmailWindow, findEmailWindow } from './alerts.rules.ts';
import { formatAlertToken } from './alerts.service.ts';

/**
 * Emails pending matches to users in an email window, one email per user with all their alerts. Each match is emailed at most once. One
 * transaction covers `batchSize` users.
 */
export async function emailAlerts(context: Context, batchSize = 100): Promise<void> {
  const now = context.clock.now();
  const windows = countryCode.options.flatMap((country) => findEmailWindow(now, country) ?? []);
  if (windows.length === 0) return;
  let after: string | null = null;
  do {
    // oxlint-disable-next-line no-await-in-loop -- each batch starts after the one before
    after = await context.db.transaction().execute((tx) => emailBatch(context, tx, { windows, now, after, batchSize }));
  } while (after !== null);
}

const canReceiveEmails = (one: Contact) => one.email_confirmed_at !== null && one.suspended_at === null && one.deleted_at === null;

type Round = { windows: readonly EmailWindow[]; now: Date; after: string | null; batchSize: number };

/** Emails the next users and returns the last one's id; null if there are no more. */
async function emailBatch({ jobs, appUrl }: Context, tx: Tx, { windows, now, after, batchSize }: Round): Promise<string | null> {
  const userIds = await queries.listDueUserIds(tx, windows, { after, limit: batchSize });
  // Users locked by another server or by a change to their alerts are left for the next run.
  const contacts = await lockFreeContacts(tx, userIds);
  const found = await queries.listDueAlerts(
    tx,
    windows,
    contacts.map(({ id }) => id),
  );
  // A user's alerts share one email, which waits until it is daytime at every place.
  const due = [...Map.groupBy(found, (one) => one.user_id).values()]
    .filter((alerts) => alerts.every(({ filter, country }) => isDaytimeAt(filter as SearchFilter, country, now)))
    .flat();
  const readersById = new Map(contacts.filter(canReceiveEmails).map((one) => [one.id, one]));
  const readable = due.filter((one) => one.paused_at === null && one.deleted_at === null && readersById.has(one.user_id));
  const matches = await queries.listPendingMatches(
    tx,
    readable.map(({ id }) => id),
  );
  const finds = Map.groupBy(matches, (one) => one.alert_id);
  const cards = new Map((await listListingCards(tx, [...new Set(matches.map((one) => one.listing_id))])).map((card) => [card._id, card]));
  const endOf = await signUnsubscribeLinks(tx, { oneClick: `${appUrl}/api/alerts/end`, page: `${appUrl}${paths.endAlert}` });
  const mails = [...Map.groupBy(readable, (one) => one.user_id)].flatMap(([userId, alerts]) => {
    const reader = readersById.get(userId);
    const alertsWithMatches = alerts.filter(({ id }) => finds.has(id));
    if (!reader || alertsWithMatches.length === 0) return [];
    const shown = Math.max(Math.floor(listingsInMail / alertsWithMatches.length), fewestInMail);
    const news = alertsWithMatches.map((alert) => {
      const found = finds.get(alert.id) ?? [];
      return {
        ...alert,
        listings: found.slice(0, shown).flatMap((one) => cards.get(one.listing_id) ?? []),
        total: found.length,
        end: endOf(formatAlertToken([alert.id])),
      };
    });
    const total = new Set(alertsWithMatches.flatMap(({ id }) => finds.get(id) ?? []).map((one) => one.listing_id)).size;
    const end = endOf(formatAlertToken(alertsWithMatches.map(({ id }) => id)));
    return alertEmail({ to: reader.email, name: reader.full_name, appUrl, end }, news, total);
  });
  await queries.recordEmailed(
    tx,
    due.map(({ id }) => id),
    matches,
    now,
  );
  await jobs.sendAll(tx, sendMail, mails);
  return userIds.length < batchSize ? null : (userIds.at(-1) ?? null);
}
