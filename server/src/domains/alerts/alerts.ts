import type { CountryCode } from '@handwise/contract/markets';
import { type Alert, type AlertFrequency, alertNameLength, type keepAlert as keepCall, maxAlerts } from '@handwise/contract/alerts/calls';
import type { FindQuery } from '@handwise/contract/search/calls';
import { type FilterValues, filterNames, filterValuesOf, searchFilters } from '@handwise/contract/search/filters';
import type { z } from 'zod';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { headerText } from '../../kit/mail/mail-words.ts';
import { readSaid } from '../../kit/mail/mail-preferences.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import { findNearestLocality } from '../places/places.service.ts';
import { carried, labelOf, queryOf, readSearch, type SearchFilter, type SearchParts, wordsOf } from '../search/search.service.ts';
import type { AlertRow } from './alerts.queries.ts';
import * as queries from './alerts.queries.ts';
import { countryOf, inOneWay, isNarrow } from './alerts.rules.ts';

/** So long a deleted alert can be brought back. */
const undoMs = 60 * 60 * 1000;

type Given = z.output<(typeof keepCall)['body']>;

/**
 * Keeps a search for a user, with what it means now. Kept before, it is the same alert and goes on as is asked now. Throws
 * `too_many_alerts`, and `invalid_input` for a search that means nothing or everything.
 */
export async function keepAlert(
  { db, clock }: Context,
  searching: SearchParts,
  userId: string,
  { frequency, ...given }: Given,
  market: CountryCode | null,
): Promise<Alert> {
  const search = withoutPosition(given);
  const attempt = await readSearch(searching, search, market);
  const values = filterValuesOf(search);
  const filter = inOneWay({ ...attempt.filter, ...(values && { values }) });
  const words = [...new Set(wordsOf(attempt.words))].join(' ');
  if (attempt.words && !words) throw invalidField('q', 'Use letters or numbers');
  if (!isNarrow(filter, words)) throw invalidField('q', 'Say what you need, or where');
  const now = clock.now();
  const id = await db.transaction().execute(async (tx) => {
    // Pressed twice at once, one waits for the other.
    await lockUser(tx, userId);
    await queries.deleteForGood(tx, new Date(now.getTime() - undoMs), userId);
    const same = await queries.findSame(tx, userId, filter, words);
    if (!same || same.deleted_at) await refuseTooMany(tx, userId);
    if (same) {
      const rests = same.paused_at !== null || same.deleted_at !== null;
      const change = { frequency, paused_at: null, deleted_at: null, ...(rests && { since: now }) };
      await queries.updateAlert(tx, userId, same.id, change, { gone: same.deleted_at !== null });
      return same.id;
    }
    const alert = await queries.insertAlert(tx, {
      user_id: userId,
      name: nameOf({ filter, words: attempt.words }),
      frequency,
      country: countryOf(filter, market),
      query: queryOf(attempt, carried(search)),
      filter: JSON.stringify(filter),
      words,
      created_at: now,
      since: now,
    });
    return alert.id;
  });
  return show(await find(db, userId, id));
}

async function refuseTooMany(tx: Tx, userId: string) {
  if ((await queries.countAlerts(tx, userId)) >= maxAlerts) throw new AppError('too_many_alerts');
}

// Where somebody is is not stored: the middle of the nearest town stands for it.
function withoutPosition<Search extends FindQuery>(search: Search): Search {
  const [latitude, longitude] = (search.near ?? '').split(',').map(Number);
  if (latitude === undefined || longitude === undefined || Number.isNaN(latitude) || Number.isNaN(longitude)) return search;
  const town = findNearestLocality({ latitude, longitude })?.locality;
  return town ? { ...search, near: `${town.latitude.toFixed(2)},${town.longitude.toFixed(2)}` } : search;
}

function nameOf({ filter, words }: { filter: SearchFilter; words: string }): string {
  const label = labelOf({ filter, words });
  // Of a position only the nearest town is named.
  const town = filter.near && filter.near.locality === undefined ? findNearestLocality(filter.near)?.locality.name : undefined;
  return headerText([town ? `${label} of ${town}` : label, ...asked(filter.values)].join(', '), alertNameLength);
}

const asked = (values: FilterValues = {}) =>
  filterNames.flatMap((name) => (values[name] === undefined ? [] : searchFilters[name].chosen(String(values[name]))));

export const listAlerts = async (db: Reader, userId: string): Promise<Alert[]> => (await queries.listAlerts(db, userId)).map(show);

type Change = { name?: string | undefined; frequency?: AlertFrequency | undefined; isPaused?: boolean | undefined };

/** Names an alert, changes how often it mails, pauses it or lets it go on. Throws `alert_not_found`. */
export async function changeAlert({ db, clock }: Context, userId: string, id: string, { isPaused, ...change }: Change): Promise<Alert> {
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    if (!(await queries.isOwn(tx, userId, id))) throw new AppError('alert_not_found');
    if (change.name !== undefined || change.frequency !== undefined) await queries.updateAlert(tx, userId, id, change, { gone: false });
    if (isPaused !== undefined) await queries.setPaused(tx, [id], isPaused, clock.now());
  });
  return show(await find(db, userId, id));
}

/** Throws `alert_not_found`. */
export async function deleteAlert({ db, clock }: Context, userId: string, id: string): Promise<void> {
  const isDeleted = await queries.updateAlert(db, userId, id, { deleted_at: clock.now() }, { gone: false });
  if (!isDeleted) throw new AppError('alert_not_found');
}

/** Brings back an alert as it was. Throws `alert_not_found`, `too_many_alerts`. */
export async function restoreAlert({ db, clock }: Context, userId: string, id: string): Promise<Alert> {
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    await queries.deleteForGood(tx, new Date(clock.now().getTime() - undoMs), userId);
    await refuseTooMany(tx, userId);
    if (!(await queries.updateAlert(tx, userId, id, { deleted_at: null }, { gone: true }))) throw new AppError('alert_not_found');
  });
  return show(await find(db, userId, id));
}

const mark = 'alert';

/** What a link in a mail says: which alerts it ends. */
export const saidOf = (alertIds: readonly string[]) => [...alertIds, mark].join('.');

type Ended = { names: string[]; isPaused: boolean };

/** Pauses alerts by the address in their mail, or lets them go on. Throws `link_not_valid`, also where all of them were deleted. */
export async function setPausedByLink({ db, clock }: Context, token: string, paused: boolean): Promise<Ended> {
  const said = (await readSaid(db, token)).split('.');
  if (said.pop() !== mark) throw new AppError('link_not_valid');
  await queries.setPaused(db, said, paused, clock.now());
  const alerts = await queries.listNames(db, said);
  if (alerts.length === 0) throw new AppError('link_not_valid');
  return { names: alerts.map(({ name }) => name), isPaused: alerts.every((one) => one.paused_at !== null) };
}

async function find(db: Reader, userId: string, id: string): Promise<AlertRow> {
  const row = await queries.findAlert(db, userId, id);
  if (!row) throw new AppError('alert_not_found');
  return row;
}

const show = (row: AlertRow): Alert => ({
  _id: row.id,
  name: row.name,
  query: row.query,
  frequency: row.frequency,
  isPaused: row.paused_at !== null,
  createdAt: row.created_at.toISOString(),
  lastMail: row.mailed_at && { sentAt: row.mailed_at.toISOString(), total: row.told ?? 0, listings: row.listings },
});
