import { countryCode } from '@handwise/contract/markets';
import { listingsInMail } from '@handwise/contract/search-alerts';
import { paths } from '@handwise/contract/paths';
import type { Context } from '../../../kit/context.ts';
import type { Tx } from '../../../kit/database/database.ts';
import { endsBySaying } from '../../../kit/mail/mail-preferences.ts';
import { sendMail } from '../../../kit/mail/mail.ts';
import { type Contact, listContacts } from '../../accounts/accounts.service.ts';
import { listByIds } from '../../listings/listings.service.ts';
import { saidOf } from './search.alerts.ts';
import { alertMail } from './search.alerts.mails.ts';
import * as queries from './search.alerts.mailing.queries.ts';
import { type Turn, turnOf } from './search.alerts.rules.ts';

/** So many alerts at once are mailed. */
const atOnce = 500;

/** Mails what alerts have found and is on the site still to those whose time it is. Each finding is told once, or its time has passed. */
export async function mailAlerts(context: Context): Promise<void> {
  const now = context.clock.now();
  const turns = countryCode.options.flatMap((country) => turnOf(now, country) ?? []);
  if (turns.length === 0) return;
  for (let taken = atOnce; taken === atOnce;) {
    // oxlint-disable-next-line no-await-in-loop -- each turn takes what the one before left
    taken = await context.db.transaction().execute((tx) => mailSome(context, tx, turns, now));
  }
}

/** Whom alerts may be mailed to: the address is known to be theirs, and they are here. */
const mayRead = (one: Contact) => one.email_confirmed_at !== null && one.suspended_at === null && one.deleted_at === null;

async function mailSome({ jobs, appUrl }: Context, tx: Tx, turns: readonly Turn[], now: Date): Promise<number> {
  const due = await queries.takeDue(tx, turns, atOnce);
  if (due.length === 0) return 0;
  const contacts = await listContacts(tx, [...new Set(due.map((one) => one.user_id))]);
  const readers = new Map(contacts.filter(mayRead).map((one) => [one.id, one]));
  const heard = due.filter((one) => one.paused_at === null && one.deleted_at === null && readers.has(one.user_id));
  const told = await queries.listWaiting(
    tx,
    heard.map(({ id }) => id),
  );
  const byAlert = Map.groupBy(told, (one) => one.alert_id);
  const shown = [...byAlert.values()].flatMap((finds) => finds.slice(0, listingsInMail).map((one) => one.listing_id));
  const cards = new Map((await listByIds(tx, [...new Set(shown)])).map((card) => [card._id, card]));
  const endOf = await endsBySaying(tx, { oneClick: `${appUrl}/api/alerts/end`, page: `${appUrl}${paths.endAlert}` });
  const mails = heard.flatMap((alert) => {
    const reader = readers.get(alert.user_id);
    const finds = byAlert.get(alert.id);
    if (!reader || !finds) return [];
    const listings = finds.slice(0, listingsInMail).flatMap((one) => cards.get(one.listing_id) ?? []);
    return alertMail({ to: reader.email, name: reader.full_name, appUrl, end: endOf(saidOf(alert.id)) }, alert, listings, finds.length);
  });
  await queries.close(
    tx,
    due.map(({ id }) => id),
    told,
    now,
  );
  await jobs.sendAll(tx, sendMail, mails);
  return due.length;
}
