import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { z } from 'zod';
import { formerMember } from '@handwise/contract/accounts/public-name';
import { formatOpening } from '@handwise/contract/draws/permits';
import { findCategoryByCode } from '@handwise/contract/listings/categories';
import { getLogoPng } from '@handwise/contract/site/logo';
import { closable, type changeSettingsCall, type SettingName, siteSettings, type SiteSettings } from '@handwise/contract/site/settings';
import { setSite, site } from '@handwise/contract/site/site';
import { splitList } from '@handwise/contract/text';
import type { UnmetRule } from '@handwise/contract/tickets/calls';
import { listNewlyUnmet, planPromotion } from '@handwise/contract/tickets/promotion-rules';
import type { Context } from '../../kit/context.ts';
import type { Db, Reader, Tx } from '../../kit/database/database.ts';
import { setAuditActor } from '../../kit/database/sql-helpers.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { fileKey } from '../../kit/files/file-store.ts';
import { attachFiles, FilesGoneError, readForDocument } from '../../kit/files/stored-files.ts';
import { isReservedHost } from '../../kit/hosts.ts';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { countByCategoryAndRegion } from '../listings/listings.service.ts';
import { syncPlans } from '../plans/plans.service.ts';
import { findAnnounced } from '../tickets/tickets.service.ts';
import type { SettingsContext } from './site.context.ts';

/** Rebuilds `llms.txt`, which names the site. */
export const rebuildDocumentsJob = defineJob<Record<string, never>>('site.rebuild-documents');

const names = Object.keys(siteSettings.shape) as SettingName[];
const historyLength = 50;

const findLast = (db: Reader) =>
  db.selectFrom('site_settings').select(['version', 'settings']).orderBy('version', 'desc').limit(1).executeTakeFirst();

type Stored = Partial<Record<SettingName, unknown>>;
// The database refuses anything but an object.
const toStored = (settings: unknown) => (settings ?? {}) as Stored;

/** A list without what only another version knows, so that the others stay closed. */
const keepKnown = (name: SettingName, value: unknown) =>
  (name === 'closedCountries' || name === 'closedTrades') && typeof value === 'string'
    ? splitList(value)
        .filter((one) => closable[name].includes(one))
        .join(', ')
    : value;

/** What is stored, over the environment's values. A stored value that this version does not accept is left out. */
function withStored(first: SiteSettings, stored: Stored): SiteSettings {
  const valid = names.flatMap((name) => {
    const { success, data } = siteSettings.shape[name].safeParse(keepKnown(name, stored[name]));
    return success ? [[name, data]] : [];
  });
  return { ...first, ...Object.fromEntries(valid) };
}

let lastLoad: Promise<void> = Promise.resolve();

/** Reads the settings and applies them to this process. Channel `site` says that they differ. One at a time, so that what was read last is applied last. */
export function loadSettings(context: SettingsContext): Promise<void> {
  const load = lastLoad.then(() => applySettings(context));
  lastLoad = load.catch(() => {});
  return load;
}

async function applySettings({ db, events, firstSettings }: SettingsContext): Promise<void> {
  const [last, announced] = await Promise.all([findLast(db), findAnnounced(db)]);
  const settings = withStored(firstSettings.settings, toStored(last?.settings));
  const draw = announced ?? planPromotion(settings);
  const next = { ...settings, drawPrize: `${draw.prize}`, drawOpening: formatOpening(draw), ...(await findHidden(db, settings)) };
  const isSame = isDeepStrictEqual(next, { ...site });
  setSite(next);
  if (!isSame) events.emit('site', null);
}

/** The closed ones of which no listing is left, so that visitors are no longer led there. */
async function findHidden(db: Db, { closedCountries, closedTrades }: SiteSettings) {
  const live = closedCountries === '' && closedTrades === '' ? {} : await countLive(db);
  const withoutLive = (closed: string) =>
    splitList(closed)
      .filter((one) => !live[one])
      .join(', ');
  return { hiddenCountries: withoutLive(closedCountries), hiddenTrades: withoutLive(closedTrades) };
}

/** What is stored, over this process's present values: for prices that are written before anything else is read. */
export async function applyStoredSettings(db: Reader): Promise<void> {
  setSite(withStored({ ...site }, toStored((await findLast(db))?.settings)));
}

/** What is set for the draws that follow. */
export const findStoredSettings = async (db: Reader, first: SiteSettings): Promise<SiteSettings> =>
  withStored(first, toStored((await findLast(db))?.settings));

const retryMs = 1_000;
/** How soon a closed trade leaves visitors' lists after its last listing has ended. */
const hidingMs = 600_000;

/** Applies changes that any server makes to this process, within a moment of their commit. */
export function followSettings(context: SettingsContext): void {
  let retry: NodeJS.Timeout | undefined;
  const reload = () => {
    clearTimeout(retry);
    loadSettings(context).catch((error: unknown) => {
      context.logger.warn({ err: error }, 'the settings of the site could not be read');
      retry = setTimeout(reload, retryMs).unref();
    });
  };
  context.events.on('settings', reload);
  setInterval(reload, hidingMs).unref();
}

/** From the row that gives the version, because this process may not have heard of the last change yet. */
export async function getSettings({ db, firstSettings }: Pick<SettingsContext, 'db' | 'firstSettings'>) {
  const history = await db
    .selectFrom('site_settings')
    .leftJoin('users', 'users.id', 'changed_by')
    .select(['version', 'changed_at', 'changed_by', 'full_name', 'reason', 'before', 'after', 'settings'])
    .orderBy('version', 'desc')
    .limit(historyLength)
    .execute();
  return {
    settings: withStored(firstSettings.settings, toStored(history[0]?.settings)),
    live: await countLive(db),
    version: history[0]?.version ?? 0,
    history: history.map((row) => ({
      version: row.version,
      changedAt: row.changed_at.toISOString(),
      by: row.changed_by === null ? null : (row.full_name ?? formerMember),
      reason: row.reason,
      before: row.before as Record<string, string>,
      after: row.after as Record<string, string>,
    })),
  };
}

async function countLive(db: Db): Promise<Record<string, number>> {
  const live: Record<string, number> = {};
  for (const { country, category_code: code, listings } of await countByCategoryAndRegion(db)) {
    for (const key of [country, findCategoryByCode(code)?.slug ?? '']) live[key] = (live[key] ?? 0) + listings;
  }
  return live;
}

type Change = z.output<(typeof changeSettingsCall)['body']>;

type Values = { [Name in SettingName]?: string | undefined };

/** Rejects what a site with real members must not be set to. */
function checkReal(values: Values, { settings: first, isReal }: SettingsContext['firstSettings']): void {
  if (!isReal) return;
  for (const name of ['senderEmail', 'supportEmail'] as const) {
    if (isReservedHost(values[name]?.split('@')[1] ?? '')) throw invalidField(`values.${name}`, 'No email arrives at this address');
  }
  // The environment was checked at the start: a number that it gives is required.
  for (const name of ['nzGstNumber', 'abn'] as const) {
    if (values[name] === '' && first[name] !== '') throw invalidField(`values.${name}`, 'Tax invoices need it');
  }
}

const formatUnmet = (unmet: readonly UnmetRule[]) =>
  `Say yes to what the draws would not meet. ${unmet.map(({ place, what }) => `${place}: ${what}`).join(' ')}`;

/** Stores what differs and applies it to this server. Throws `settings_changed` if another change came first. */
export async function changeSettings(
  context: SettingsContext,
  userId: string,
  { values, version, reason, acceptsUnmet }: Change,
): Promise<void> {
  const { db, clock, jobs, firstSettings: first } = context;
  checkReal(values, first);
  await db.transaction().execute(async (tx) => {
    // Two administrators at once: the second one sees the first one's change.
    await sql`lock table site_settings in share row exclusive mode`.execute(tx);
    const last = await findLast(tx);
    if (version !== undefined && (last?.version ?? 0) !== version) throw new AppError('settings_changed');
    const before = withStored(first.settings, toStored(last?.settings));
    const changed = names.filter((name) => values[name] !== undefined && values[name] !== before[name]);
    if (changed.length === 0) throw invalidField('reason', 'Nothing has changed');
    const unmet = listNewlyUnmet(withStored(before, values), before);
    if (unmet.length > 0 && !acceptsUnmet) throw invalidField('acceptsUnmet', formatUnmet(unmet));
    const pick = (from: Values) => Object.fromEntries(changed.map((name) => [name, from[name]]));
    await setAuditActor(tx, userId);
    if (changed.includes('logo')) await attachLogo(tx, values.logo ?? '');
    await insertChange(tx, {
      changed_by: userId,
      changed_at: clock.now(),
      reason,
      before: JSON.stringify(pick(before)),
      after: JSON.stringify(pick(values)),
      settings: JSON.stringify({ ...toStored(last?.settings), ...pick(values) }),
    });
    await jobs.send(tx, rebuildDocumentsJob, {}, { singletonKey: 'site' });
  });
  await loadSettings(context);
  await db.transaction().execute(async (tx) => {
    await setAuditActor(tx, userId);
    await syncPlans(tx);
  });
}

/** Files of earlier logos stay, because sent emails show them; one of them can be chosen again. Throws `invalid_input` if the file is gone. */
async function attachLogo(tx: Tx, logo: string): Promise<void> {
  const key = fileKey(logo);
  if (key === undefined) return;
  const earlier = await tx
    .selectFrom('site_settings')
    .select('id')
    .where(sql<string>`after->>'logo'`, '=', logo)
    .limit(1)
    .executeTakeFirst();
  if (earlier) return;
  await attachFiles(tx, [key]).catch((error: unknown) => {
    if (!(error instanceof FilesGoneError)) throw error;
    throw invalidField('values.logo', 'Upload the logo again: an upload is kept for an hour');
  });
}

type NewChange = { changed_by: string; changed_at: Date; reason: string; before: string; after: string; settings: string };
const insertChange = (tx: Tx, change: NewChange) => tx.insertInto('site_settings').values(change).execute();

/** The uploaded logo as PNG, for documents. */
export const readSiteLogo = (context: Context): Promise<Uint8Array | null> => readForDocument(context, getLogoPng('small') ?? '');
