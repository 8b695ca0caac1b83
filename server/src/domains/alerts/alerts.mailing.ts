import { countryCode } from '@handwise/contract/markets';
import { fewestInMail, listingsInMail } from '@handwise/contract/alerts/calls';
import { paths } from '@handwise/contract/paths';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { endsBySaying } from '../../kit/mail/mail-preferences.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { type Contact, lockFreeContacts } from '../accounts/accounts.service.ts';
import { listListingCards } from '../listings/listings.service.ts';
import type { SearchFilter } from '../search/search.service.ts';
import { saidOf } from './alerts.ts';
import { alertMail } from './alerts.mails.ts';
import * as queries from './alerts.mailing.queries.ts';
import { isDayAt, type Turn, turnOf } from './alerts.rules.ts';

/**
 * Mails what alerts have found and is on the site still to those whose time it is: one mail to each, with all of theirs. Each finding is
 * told once, or its time has passed. The alerts of `atOnce` people are mailed in one transaction.
 */
export async function mailAlerts(context: Context, atOnce = 100): Promise<void> {
  const now = context.clock.now();
  const turns = countryCode.options.flatMap((country) => turnOf(now, country) ?? []);
  if (turns.length === 0) return;
  let after: string | null = null;
  do {
    // oxlint-disable-next-line no-await-in-loop -- each round goes on behind the one before
    after = await context.db.transaction().execute((tx) => mailSome(context, tx, { turns, now, after, atOnce }));
  } while (after !== null);
}

/** Whom alerts may be mailed to: the address is known to be theirs, and they are here. */
const mayRead = (one: Contact) => one.email_confirmed_at !== null && one.suspended_at === null && one.deleted_at === null;

type Round = { turns: readonly Turn[]; now: Date; after: string | null; atOnce: number };

/** Mails the next people, and resolves to the last of them; null where there are no more. */
async function mailSome({ jobs, appUrl }: Context, tx: Tx, { turns, now, after, atOnce }: Round): Promise<string | null> {
  const userIds = await queries.listReaders(tx, turns, { after, most: atOnce });
  // Whoever is being mailed by another server, or is changing an alert just now, gets nothing in this round.
  const contacts = await lockFreeContacts(tx, userIds);
  const found = await queries.listDue(
    tx,
    turns,
    contacts.map(({ id }) => id),
  );
  // All of a person's go into one mail, so they wait until it is day at each place.
  const due = [...Map.groupBy(found, (one) => one.user_id).values()]
    .filter((alerts) => alerts.every(({ filter, country }) => isDayAt(filter as SearchFilter, country, now)))
    .flat();
  const readers = new Map(contacts.filter(mayRead).map((one) => [one.id, one]));
  const heard = due.filter((one) => one.paused_at === null && one.deleted_at === null && readers.has(one.user_id));
  const told = await queries.listWaiting(
    tx,
    heard.map(({ id }) => id),
  );
  const finds = Map.groupBy(told, (one) => one.alert_id);
  const cards = new Map((await listListingCards(tx, [...new Set(told.map((one) => one.listing_id))])).map((card) => [card._id, card]));
  const endOf = await endsBySaying(tx, { oneClick: `${appUrl}/api/alerts/end`, page: `${appUrl}${paths.endAlert}` });
  const mails = [...Map.groupBy(heard, (one) => one.user_id)].flatMap(([userId, alerts]) => {
    const reader = readers.get(userId);
    const telling = alerts.filter(({ id }) => finds.has(id));
    if (!reader || telling.length === 0) return [];
    const shown = Math.max(Math.floor(listingsInMail / telling.length), fewestInMail);
    const news = telling.map((alert) => {
      const found = finds.get(alert.id) ?? [];
      return {
        ...alert,
        listings: found.slice(0, shown).flatMap((one) => cards.get(one.listing_id) ?? []),
        total: found.length,
        end: endOf(saidOf([alert.id])),
      };
    });
    const total = new Set(telling.flatMap(({ id }) => finds.get(id) ?? []).map((one) => one.listing_id)).size;
    const end = endOf(saidOf(telling.map(({ id }) => id)));
    return alertMail({ to: reader.email, name: reader.full_name, appUrl, end }, news, total);
  });
  await queries.close(
    tx,
    due.map(({ id }) => id),
    told,
    now,
  );
  await jobs.sendAll(tx, sendMail, mails);
  return userIds.length < atOnce ? null : (userIds.at(-1) ?? null);
}
