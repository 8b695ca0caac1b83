import type { z } from 'zod';
import { type Alert, type AlertFrequency, type saveAlertCall, alertNameLength, maxAlerts } from '@handwise/contract/alerts/calls';
import type { CountryCode } from '@handwise/contract/markets';
import type { FindQuery } from '@handwise/contract/search/calls';
import { type FilterValues, filterNames, filterWords, parseFilterValues } from '@handwise/contract/search/filters';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { verifySignedToken } from '../../kit/mail/mail-preferences.ts';
import { headerText } from '../../kit/mail/mail.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import { findNearestLocality } from '../places/places.service.ts';
import {
  type SearchFilter,
  type SearchParts,
  preservedParams,
  describeSearch,
  toQueryString,
  narrow,
  readSearch,
  toFilterParams,
  toPlainSearch,
  tokenize,
} from '../search/search.service.ts';
import { type AlertRow, listAlertFindsForExport, listAlertsForExport } from './alerts.queries.ts';
import * as queries from './alerts.queries.ts';
import { getCountryOfSearch, isNarrowSearch, normalizeFilter } from './alerts.rules.ts';

export { recordNewListing } from './alerts.jobs.queries.ts';
export { deleteAlertsOfUser } from './alerts.queries.ts';

export const getOwnAlertData = (db: Reader, userId: string): OwnData => ({
  lists: { alerts: () => listAlertsForExport(db, userId), 'alert-finds': () => listAlertFindsForExport(db, userId) },
});

/** How long a deleted alert can be restored. */
const undoWindowMs = 60 * 60 * 1000;

type AlertForm = z.output<(typeof saveAlertCall)['body']>;

/**
 * Creates an alert for a search as it is interpreted now, or updates and resumes the user's alert for the same search. Throws
 * `too_many_alerts`, and `invalid_input` for a search that is empty or too broad, `search_timed_out` if it is
 * not known how it is interpreted.
 */
export async function saveAlert(
  { db, clock }: Context,
  searching: SearchParts,
  userId: string,
  { frequency, ...form }: AlertForm,
  market: CountryCode | null,
): Promise<Alert> {
  const search = replacePositionByTown(form);
  const attempt = await readSearch({ ...searching, index: searching.index.withTimeLimit() }, search, market);
  const values = parseFilterValues(search);
  const plain = toPlainSearch(narrow(attempt, values), attempt);
  const filter = normalizeFilter(plain.filter);
  const words = [...new Set(tokenize(plain.words))].join(' ');
  if (plain.words && !words) throw invalidField('q', 'Use letters or numbers');
  if (!isNarrowSearch(filter, words)) throw invalidField('q', 'Say what you need, or where');
  const now = clock.now();
  const id = await db.transaction().execute(async (tx) => {
    // The lock serializes concurrent submissions of one user.
    await lockUser(tx, userId);
    await queries.deleteExpiredAlerts(tx, new Date(now.getTime() - undoWindowMs), userId);
    const existing = await queries.findAlertBySearch(tx, userId, filter, words);
    if (!existing || existing.deleted_at) await checkAlertLimit(tx, userId);
    if (existing) {
      const isResumed = existing.paused_at !== null || existing.deleted_at !== null;
      const change = { frequency, paused_at: null, deleted_at: null, ...(isResumed && { since: now }) };
      await queries.updateAlertRow(tx, userId, existing.id, change, { isDeleted: existing.deleted_at !== null });
      return existing.id;
    }
    const alert = await queries.insertAlert(tx, {
      user_id: userId,
      name: createAlertName({ filter, words: plain.words }),
      frequency,
      country: getCountryOfSearch(filter, market),
      query: toQueryString(plain, preservedParams({ ...search, ...toFilterParams(plain.filter.values) })),
      filter: JSON.stringify(filter),
      words,
      created_at: now,
      since: now,
    });
    return alert.id;
  });
  return toAlert(await getAlert(db, userId, id));
}

async function checkAlertLimit(tx: Tx, userId: string) {
  if ((await queries.countAlerts(tx, userId)) >= maxAlerts) throw new AppError('too_many_alerts');
}

// A user's position is not stored; the centre of the nearest town replaces it.
function replacePositionByTown<Search extends FindQuery>(search: Search): Search {
  const [latitude, longitude] = (search.near ?? '').split(',').map(Number);
  if (latitude === undefined || longitude === undefined || Number.isNaN(latitude) || Number.isNaN(longitude)) return search;
  const town = findNearestLocality({ latitude, longitude })?.locality;
  return town ? { ...search, near: `${town.latitude.toFixed(2)},${town.longitude.toFixed(2)}` } : search;
}

function createAlertName({ filter, words }: { filter: SearchFilter; words: string }): string {
  const label = describeSearch({ filter, words });
  // A position is named by its nearest town.
  const town = filter.near && filter.near.locality === undefined ? findNearestLocality(filter.near)?.locality.name : undefined;
  return headerText([town ? `${label} of ${town}` : label, ...describeFilters(filter.values)].join(', '), alertNameLength);
}

const describeFilters = (values: FilterValues = {}) =>
  filterNames.flatMap((name) => (values[name] === undefined ? [] : filterWords[name](String(values[name]))));

export const listAlerts = async (db: Reader, userId: string): Promise<Alert[]> => (await queries.listAlertRows(db, userId)).map(toAlert);

type Change = { name?: string | undefined; frequency?: AlertFrequency | undefined; isPaused?: boolean | undefined };

/** Renames an alert, changes its frequency, pauses or resumes it. Throws `alert_not_found`. */
export async function updateAlert({ db, clock }: Context, userId: string, id: string, { isPaused, ...change }: Change): Promise<Alert> {
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    if (!(await queries.isAlertOfUser(tx, userId, id))) throw new AppError('alert_not_found');
    if (change.name !== undefined || change.frequency !== undefined)
      await queries.updateAlertRow(tx, userId, id, change, { isDeleted: false });
    if (isPaused !== undefined) await queries.setAlertsPaused(tx, [id], isPaused, clock.now());
  });
  return toAlert(await getAlert(db, userId, id));
}

/** Throws `alert_not_found`. */
export async function deleteAlert({ db, clock }: Context, userId: string, id: string): Promise<void> {
  const isDeleted = await queries.updateAlertRow(db, userId, id, { deleted_at: clock.now() }, { isDeleted: false });
  if (!isDeleted) throw new AppError('alert_not_found');
}

/** Throws `alert_not_found`, `too_many_alerts`. */
export async function restoreAlert({ db, clock }: Context, userId: string, id: string): Promise<Alert> {
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    await queries.deleteExpiredAlerts(tx, new Date(clock.now().getTime() - undoWindowMs), userId);
    await checkAlertLimit(tx, userId);
    if (!(await queries.updateAlertRow(tx, userId, id, { deleted_at: null }, { isDeleted: true }))) throw new AppError('alert_not_found');
  });
  return toAlert(await getAlert(db, userId, id));
}

const tokenSuffix = 'alert';

/** The signed payload of a link that pauses these alerts. */
export const formatAlertToken = (alertIds: readonly string[]) => [...alertIds, tokenSuffix].join('.');

type Ended = { names: string[]; isPaused: boolean };

/** Pauses or resumes alerts by an email's link. Throws `link_not_valid`, also if all of them were deleted. */
export async function setAlertsPausedByLink({ db, clock }: Context, token: string, paused: boolean): Promise<Ended> {
  const payload = (await verifySignedToken(db, token)).split('.');
  if (payload.pop() !== tokenSuffix) throw new AppError('link_not_valid');
  await queries.setAlertsPaused(db, payload, paused, clock.now());
  const alerts = await queries.listAlertNames(db, payload);
  if (alerts.length === 0) throw new AppError('link_not_valid');
  return { names: alerts.map(({ name }) => name), isPaused: alerts.every((one) => one.paused_at !== null) };
}

async function getAlert(db: Reader, userId: string, id: string): Promise<AlertRow> {
  const row = await queries.findAlertRow(db, userId, id);
  if (!row) throw new AppError('alert_not_found');
  return row;
}

const toAlert = (row: AlertRow): Alert => ({
  _id: row.id,
  name: row.name,
  query: row.query,
  frequency: row.frequency,
  isPaused: row.paused_at !== null,
  createdAt: row.created_at.toISOString(),
  lastMail: row.mailed_at && { sentAt: row.mailed_at.toISOString(), total: row.total ?? 0, listings: row.listings },
});
