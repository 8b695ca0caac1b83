import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { CallOutput } from '@handwise/contract/call';
import { addDays, dayMs, getDay } from '@handwise/contract/dates';
import { formatDate } from '@handwise/contract/dates';
import { markets } from '@handwise/contract/markets';
import { licenceCheckDays } from '@handwise/contract/periods';
import type { listLicenceQueueCall, RecordLicenceForm } from '@handwise/contract/registers/calls';
import { type LicenceRegisterCode, licenceRegisters } from '@handwise/contract/registers/licence-registers';
import type { LicenceProblem, LicenceState } from '@handwise/contract/registers/licences';
import type { Context } from '../../kit/context.ts';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Db, Reader, Tx } from '../../kit/database/database.ts';
import { anyId, rowCount, setAuditActor } from '../../kit/database/sql-helpers.ts';
import { AppError } from '../../kit/errors.ts';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { hasOtherAdministrators } from '../accounts/accounts.service.ts';
import type { RegisterContext, RegisterHooks } from './registers.context.ts';
import { checkFinding, evaluateLicence } from './registers.licence-rules.ts';

export const checkLicenceJob = defineJob<{ listingId: string }>('registers.check-licence');

/** When a check is due again although all retries of its job failed. */
const retryDays = 1;
/** A licence that has ended may have been renewed. */
const endedDays = 7;
const batchSize = 200;
const queuePageSize = 20;

const after = (now: Date, days: number) => new Date(now.getTime() + days * dayMs);
const isHiding = (state: LicenceState) => state === 'ended' || state === 'suspended' || state === 'other_holder';

export type LicenceCheckedRow = { at: string; sandbox: boolean; class: string | null };

/** A valid check, for lists; null without one. Valid for 90 days and not beyond the licence's own end. */
export const licenceCheckedBy: RawBuilder<LicenceCheckedRow | null> = sql`(
  select jsonb_build_object('at', checked_at, 'sandbox', sandbox, 'class', found_class) from licence_checks
  where listing_id = listings.id and state = 'valid' and checked_at > now() - make_interval(days => ${sql.lit(licenceCheckDays)})
    and (ends_on is null or ends_on >= (now() at time zone 'Australia/Perth')::date))`;

export type LicenceCheckRow = {
  state: LicenceState;
  endsOn: string | null;
  checkedAt: string | null;
  sandbox: boolean;
  problem: LicenceProblem | null;
};

/** For its owner: the check in any state. */
export const ownLicenceCheck: RawBuilder<LicenceCheckRow | null> = sql`(
  select jsonb_build_object('state', state, 'endsOn', ends_on, 'checkedAt', checked_at, 'sandbox', sandbox, 'problem', problem)
  from licence_checks where listing_id = listings.id)`;

type Claim = { listingId: string; register: string | null; number: string | null; holder: string | null };

/** Replaces the check of a listing's licence by a new one. Call it in the transaction that changes the licence. */
export async function restartLicenceCheck({ jobs, clock }: Context, tx: Tx, { listingId, register, number, holder }: Claim): Promise<void> {
  await deleteLicenceChecks(tx, [listingId]);
  if (register === null || number === null || holder === null) return;
  await tx
    .insertInto('licence_checks')
    .values({ listing_id: listingId, register, number, holder, state: 'stated', check_at: after(clock.now(), retryDays) })
    .execute();
  await jobs.send(tx, checkLicenceJob, { listingId });
}

export const deleteLicenceChecks = (tx: Tx, listingIds: readonly string[]) =>
  tx.deleteFrom('licence_checks').where('listing_id', '=', anyId(listingIds)).execute();

type Row = Selectable<DB['licence_checks']> & { ends_day: string | null };

const selectChecks = (db: Reader) =>
  db
    .selectFrom('licence_checks')
    .selectAll()
    // As text, because a date without a time would shift with the server's time zone.
    .select(sql<string | null>`ends_on::text`.as('ends_day'));

const isSameClaim = (one: Pick<Row, 'register' | 'number' | 'holder'>, other: Pick<Row, 'register' | 'number' | 'holder'>) =>
  one.register === other.register && one.number === other.number && one.holder === other.holder;

const getRegisterOf = (code: string) => (code in licenceRegisters ? licenceRegisters[code as LicenceRegisterCode] : undefined);
const getToday = (register: string, now: Date) => getDay(now, markets[getRegisterOf(register)?.country ?? 'AU'].timeZone);

/** What was found about a claim, and by whom. */
type Finding = {
  state: Exclude<LicenceState, 'stated'>;
  recordUrl: string | null;
  holder: string;
  className: string;
  status: string;
  endsOn: string | null;
  sandbox: boolean;
  administratorId: string | null;
};

type RegisterParts = { context: RegisterContext; hooks: RegisterHooks };

/** The next look: after 90 days, or when the licence ends. */
function getNextCheck({ state, endsOn, administratorId }: Finding, now: Date): Date {
  const regular = after(now, isHiding(state) && administratorId === null ? endedDays : licenceCheckDays);
  const ends = state === 'valid' && endsOn !== null ? new Date(`${addDays(endsOn, 1)}T00:00:00Z`) : regular;
  return ends > now && ends < regular ? ends : regular;
}

/** What the business reads. The name of another holder is not disclosed. */
function formatRefusal({ register, number }: Pick<Row, 'register' | 'number'>, { state, endsOn, status }: Finding): string {
  const name = getRegisterOf(register)?.name ?? register;
  switch (state) {
    case 'suspended':
      return `The register (${name}) says that licence ${number} is suspended.`;
    case 'other_holder':
      return `The register (${name}) names another holder of licence ${number}.`;
    case 'ended':
    case 'valid':
      return endsOn === null
        ? `The register (${name}) says that licence ${number} is not current: “${status}”.`
        : `The register (${name}) says that licence ${number} ended on ${formatDate(endsOn, 'UTC')}.`;
  }
}

/** Stores a finding, hides or shows the claim at once and tells the business once. Nothing happens if the claim has changed meanwhile. */
async function applyFinding({ context, hooks }: RegisterParts, tx: Tx, claim: Row, finding: Finding): Promise<boolean> {
  const { listing_id: listingId } = claim;
  // Locks the listing first, as an edit does.
  const business = await hooks.lockBusiness(tx, listingId);
  const before = await selectChecks(tx).where('listing_id', '=', listingId).forUpdate().executeTakeFirst();
  if (!business || !before || !isSameClaim(before, claim)) return false;
  const now = context.clock.now();
  await tx
    .updateTable('licence_checks')
    .set({
      state: finding.state,
      record_url: finding.recordUrl,
      found_holder: finding.holder,
      found_class: finding.className,
      found_status: finding.status,
      ends_on: finding.endsOn,
      checked_at: now,
      checked_by: finding.administratorId === null ? 'register' : 'administrator',
      administrator_id: finding.administratorId,
      sandbox: finding.sandbox,
      problem: null,
      queued_at: null,
      check_at: getNextCheck(finding, now),
    })
    .where('listing_id', '=', listingId)
    .execute();
  await hooks.setLicenceHidden(tx, listingId, isHiding(finding.state));
  if (isHiding(finding.state) && before.state !== finding.state) {
    await hooks.onLicenceRefused(context, tx, {
      listingId,
      sellerId: business.sellerId,
      title: business.serviceTitle,
      reason: formatRefusal(claim, finding),
      administratorId: finding.administratorId,
    });
  }
  return true;
}

/** Looks a licence up outside any transaction, or queues it for an administrator where no register answers programs. */
export async function checkLicence(parts: RegisterParts, listingId: string): Promise<void> {
  const { db, clock, registers } = parts.context;
  const claim = await selectChecks(db).where('listing_id', '=', listingId).executeTakeFirst();
  if (!claim) return;
  const register = claim.register === 'nsw' ? registers.nsw : null;
  if (!register) return queueClaim(parts, claim);
  const record = await register.find(claim.number).catch(async (error: unknown) => {
    await noteProblem(db, claim, 'no_answer', clock.now());
    throw error;
  });
  if (!record) return noteProblem(db, claim, 'not_found', clock.now());
  const today = getToday(claim.register, clock.now());
  await db.transaction().execute((tx) =>
    applyFinding(parts, tx, claim, {
      state: evaluateLicence(record, claim.holder, today),
      recordUrl: null,
      holder: record.holder,
      className: record.className,
      status: record.status,
      endsOn: record.endsOn,
      sandbox: register.sandbox,
      administratorId: null,
    }),
  );
}

/** No answer says neither that there is a licence nor that there is none: what was found before stands until it is too old. */
async function noteProblem(db: Db, claim: Row, problem: 'no_answer' | 'not_found', now: Date): Promise<void> {
  const isValid = isStillValid(claim, now);
  await db
    .updateTable('licence_checks')
    .set({
      problem,
      ...(claim.state === 'valid' && !isValid && { state: 'stated' }),
      queued_at: claim.queued_at ?? now,
      // Not being found is an answer: asked again after the usual time.
      ...(problem === 'not_found' && { check_at: after(now, licenceCheckDays) }),
    })
    .where('listing_id', '=', claim.listing_id)
    .where('number', '=', claim.number)
    .where('register', '=', claim.register)
    .execute();
}

/** Whether it was found valid within the last 90 days. */
const isStillValid = ({ state, checked_at: checkedAt }: Row, now: Date) =>
  state === 'valid' && checkedAt !== null && after(checkedAt, licenceCheckDays) > now;

/** A claim that a person looks up: it ends with the licence, and after 90 days it waits again. */
async function queueClaim(parts: RegisterParts, claim: Row): Promise<void> {
  const { db, clock } = parts.context;
  const now = clock.now();
  const hasEnded = claim.state === 'valid' && claim.ends_day !== null && claim.ends_day < getToday(claim.register, now);
  if (hasEnded) {
    await db.transaction().execute(async (tx) => {
      const finding = {
        state: 'ended' as const,
        recordUrl: claim.record_url,
        holder: claim.found_holder ?? claim.holder,
        className: claim.found_class ?? '',
        status: claim.found_status ?? '',
        endsOn: claim.ends_day,
        sandbox: claim.sandbox,
        administratorId: null,
      };
      if (!(await applyFinding(parts, tx, claim, finding))) return;
      // Nobody has looked: it may have been renewed, so it waits for somebody who does.
      const looked = { checked_at: claim.checked_at, checked_by: claim.checked_by, administrator_id: claim.administrator_id };
      await tx
        .updateTable('licence_checks')
        .set({ ...looked, queued_at: now })
        .where('id', '=', claim.id)
        .execute();
    });
    return;
  }
  if (isStillValid(claim, now)) return;
  await db
    .updateTable('licence_checks')
    .set({
      ...(claim.state === 'valid' && { state: 'stated' }),
      queued_at: claim.queued_at ?? now,
      check_at: after(now, licenceCheckDays),
    })
    .where('id', '=', claim.id)
    .execute();
}

/** Starts the checks that are due. */
export async function startDueLicenceChecks({ db, jobs, clock }: Context, batch = batchSize): Promise<void> {
  for (;;) {
    const now = clock.now();
    const taken = await db.transaction().execute(async (tx) => {
      const due = await tx
        .with(
          (cte) => cte('due').materialized(),
          (cte) =>
            cte
              .selectFrom('licence_checks')
              .select('id')
              .where('check_at', '<=', now)
              .orderBy('check_at')
              .limit(batch)
              .forUpdate()
              .skipLocked(),
        )
        .updateTable('licence_checks')
        .from('due')
        .set({ check_at: after(now, retryDays) })
        .whereRef('licence_checks.id', '=', 'due.id')
        .returning('listing_id')
        .execute();
      await jobs.sendAll(
        tx,
        checkLicenceJob,
        due.map(({ listing_id: listingId }) => ({ listingId })),
      );
      return due.length;
    });
    if (taken < batch) return;
  }
}

/** Shows a claim again after an objection was upheld: stated, and waiting for an administrator. */
export async function showLicence(tx: Tx, hooks: Pick<RegisterHooks, 'setLicenceHidden'>, listingId: string, now: Date): Promise<void> {
  await hooks.setLicenceHidden(tx, listingId, false);
  await tx
    .updateTable('licence_checks')
    .set({ state: 'stated', problem: null, queued_at: now, check_at: after(now, licenceCheckDays) })
    .where('listing_id', '=', listingId)
    .execute();
}

/** The licences that have been waiting to be looked up for the longest. */
export async function listQueuedLicences(db: Reader, take: number) {
  const waiting = db.selectFrom('licence_checks').where('queued_at', 'is not', null);
  const [rows, { total }] = await Promise.all([
    waiting.select(['register', 'number', 'queued_at']).orderBy('queued_at').orderBy('id').limit(take).execute(),
    waiting.select(rowCount.as('total')).executeTakeFirstOrThrow(),
  ]);
  const licences = rows.flatMap(({ register, number, queued_at: since }) =>
    since ? { registerName: getRegisterOf(register)?.name ?? register, number, since } : [],
  );
  return { licences, total };
}

type QueuePage = CallOutput<typeof listLicenceQueueCall>;

/** The claims that wait for an administrator, oldest first. */
export async function listQueue({ context, hooks }: RegisterParts, page: number): Promise<QueuePage> {
  const { db } = context;
  const waiting = db.selectFrom('licence_checks').where('queued_at', 'is not', null);
  const [rows, { total }] = await Promise.all([
    selectChecks(db)
      .where('queued_at', 'is not', null)
      .orderBy('queued_at')
      .orderBy('id')
      .offset((page - 1) * queuePageSize)
      .limit(queuePageSize)
      .execute(),
    waiting.select(rowCount.as('total')).executeTakeFirstOrThrow(),
  ]);
  const businesses = await hooks.listBusinesses(
    db,
    rows.map((row) => row.listing_id),
  );
  return {
    claims: rows.map((row) => {
      const register = getRegisterOf(row.register);
      return {
        listingId: row.listing_id,
        title: businesses.get(row.listing_id)?.serviceTitle ?? '',
        business: businesses.get(row.listing_id)?.businessTitle ?? '',
        registerName: register?.name ?? row.register,
        page: register?.page ?? '',
        number: row.number,
        holder: row.holder,
        class: businesses.get(row.listing_id)?.licenceClass ?? null,
        state: row.state,
        problem: row.problem,
        queuedAt: (row.queued_at ?? row.check_at).toISOString(),
      };
    }),
    currentPage: page,
    totalPages: Math.max(1, Math.ceil(total / queuePageSize)),
    total,
  };
}

const nothingFound = { record_url: null, found_holder: null, found_class: null, found_status: null, ends_on: null } as const;

/** What an administrator has found in a register. Throws `licence_claim_changed`, `own_matter`, `invalid_input`. */
export async function recordFinding(parts: RegisterParts, adminId: string, listingId: string, form: RecordLicenceForm): Promise<void> {
  const { db, clock } = parts.context;
  const now = clock.now();
  const claim = await selectChecks(db).where('listing_id', '=', listingId).executeTakeFirst();
  if (!claim || claim.number !== form.number || claim.holder !== form.holder) throw new AppError('licence_claim_changed');
  checkFinding(form, getToday(claim.register, now));
  await db.transaction().execute(async (tx) => {
    await setAuditActor(tx, adminId);
    const business = await parts.hooks.lockBusiness(tx, listingId);
    if (!business) throw new AppError('licence_claim_changed');
    if (business.sellerId === adminId && (await hasOtherAdministrators(tx, adminId))) throw new AppError('own_matter');
    if (form.result === 'not_found') {
      // What is stored now decides, because the register may have answered meanwhile.
      const stored = await selectChecks(tx).where('id', '=', claim.id).forUpdate().executeTakeFirst();
      if (!stored || !isSameClaim(stored, claim)) throw new AppError('licence_claim_changed');
      await tx
        .updateTable('licence_checks')
        .set({
          problem: 'not_found',
          // Nothing is found that confirms the claim any more; what hides it stays.
          ...(!isHiding(stored.state) && { state: 'stated', ...nothingFound }),
          checked_at: now,
          checked_by: 'administrator',
          administrator_id: adminId,
          queued_at: null,
          check_at: after(now, licenceCheckDays),
        })
        .where('id', '=', claim.id)
        .execute();
      return;
    }
    const isApplied = await applyFinding(parts, tx, claim, {
      state: form.result,
      recordUrl: form.recordUrl,
      holder: form.foundHolder,
      className: form.foundClass,
      status: form.foundStatus,
      endsOn: form.endsOn || null,
      sandbox: false,
      administratorId: adminId,
    });
    if (!isApplied) throw new AppError('licence_claim_changed');
  });
}
