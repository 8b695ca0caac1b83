import { type Selectable, sql } from 'kysely';
import type { CallInput } from '@handwise/contract/call';
import { findCategory, findCategoryByCode, findSubCategories, findSubCategoryByCode } from '@handwise/contract/listings/categories';
import { findRegion, findRegionByCode } from '@handwise/contract/places/regions';
import type { correctLicenceRequirementCall, getLicenceRequirementCall, StoredRequirement } from '@handwise/contract/registers/calls';
import { isLicenceAsked, listLicenceFaults, type StatedLicence } from '@handwise/contract/registers/licences';
import type { Context } from '../../kit/context.ts';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Db, Reader, Tx } from '../../kit/database/database.ts';
import { setAuditActor } from '../../kit/database/sql-helpers.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { readRequirements } from './registers.licence-rows.ts';
import { getLawRegion, type ResolvedRequirement, resolveRequirement, type WorkRow } from './registers.licence-rules.ts';

const shownColumns = [
  'country',
  'sub_category_code',
  'required',
  'threshold_minor',
  'what',
  'register_name',
  'register_url',
  'confirmed',
] as const;

/** Brings the rows of this version's file into the table. Corrected ones stay as they are. */
export async function syncLicenceRequirements(tx: Tx): Promise<void> {
  await tx
    .insertInto('licence_requirements')
    .values(readRequirements())
    .onConflict((conflict) =>
      conflict
        .constraint('licence_requirements_work')
        .doUpdateSet(({ ref }) => ({
          required: ref('excluded.required'),
          threshold_minor: ref('excluded.threshold_minor'),
          what: ref('excluded.what'),
          register_name: ref('excluded.register_name'),
          register_url: ref('excluded.register_url'),
          source: ref('excluded.source'),
          confirmed: ref('excluded.confirmed'),
        }))
        .where('licence_requirements.corrected_at', 'is', null),
    )
    .execute();
}

/** What the law asks for, for the work of a listing where it is. */
async function findRequirement(db: Reader, work: WorkRow): Promise<ResolvedRequirement> {
  const rows = await db
    .selectFrom('licence_requirements')
    .select(shownColumns)
    .where('country', '=', work.country)
    .where(sql<boolean>`region_code is not distinct from ${getLawRegion(work)}`)
    .where('category_code', '=', work.category_code)
    .execute();
  return resolveRequirement(rows, work.category_code, work.sub_category_code);
}

/** What the law asks for, by names. Throws `invalid_input` for an unknown place or category. */
export async function getRequirement(db: Db, query: CallInput<typeof getLicenceRequirementCall>['query']): Promise<ResolvedRequirement> {
  const region = findRegion(query.region);
  if (!region) throw invalidField('region', 'There is no such region');
  const category = findCategory(query.category);
  if (!category) throw invalidField('category', 'There is no such category');
  const sub = query.subCategory ? findSubCategories(query.subCategory, category)[0] : undefined;
  if (query.subCategory && !sub) throw invalidField('subCategory', 'There is no such sub-category here');
  return findRequirement(db, {
    country: region.country,
    region_code: region.code,
    category_code: category.code,
    sub_category_code: sub?.code ?? null,
  });
}

/** What a listing says about its licence. */
export type LicenceColumns = Pick<
  Selectable<DB['listings']>,
  'licence_register' | 'licence_number' | 'licence_name' | 'licence_class' | 'licence_exemption' | 'licence_below_limit'
> &
  // As it was when the answer was given.
  Partial<Pick<Selectable<DB['listings']>, 'licence_limit_minor'>>;

const toStated = (row: LicenceColumns): StatedLicence => ({
  number: row.licence_number,
  holder: row.licence_name,
  class: row.licence_class,
  exemption: row.licence_exemption,
  belowLimit: row.licence_below_limit,
  limitMinor: row.licence_limit_minor ?? null,
});

/** A listing's answer with its place and work. */
export type LicencedWork = WorkRow & LicenceColumns;

const listFaults = (requirement: ResolvedRequirement, listing: LicencedWork) => listLicenceFaults(requirement, toStated(listing));

/** What the law asks of a kind of work. `limitMinor`: in cents; null if it has none, or names the kind of work instead. */
export type LicenceQuestion = { isLacking: (listing: LicenceColumns) => boolean; takesBelowLimit: boolean; limitMinor: number | null };

/** Null where the law asks for no licence. */
export async function findLicenceQuestion(db: Reader, work: WorkRow): Promise<LicenceQuestion | null> {
  const requirement = await findRequirement(db, work);
  return isLicenceAsked(requirement)
    ? {
        isLacking: (listing) => listLicenceFaults(requirement, toStated(listing)).length > 0,
        takesBelowLimit: requirement.required === 'above-threshold',
        limitMinor: requirement.thresholdMinor,
      }
    : null;
}

/** Throws `invalid_input` for a listing that lacks what the law asks for. */
export async function checkLicenceAnswer(db: Reader, listing: LicencedWork): Promise<void> {
  const faults = listFaults(await findRequirement(db, listing), listing);
  if (faults.length > 0) throw new AppError('invalid_input', { fields: faults });
}

const isSameWork = (one: WorkRow, other: WorkRow) =>
  one.category_code === other.category_code &&
  one.sub_category_code === other.sub_category_code &&
  getLawRegion(one) === getLawRegion(other);

type Reason = { licence_limit_minor: number | null } & Partial<Pick<LicenceColumns, 'licence_exemption' | 'licence_below_limit'>>;

/**
 * What a listing says in place of a licence, after `given` was added to what was there `before`. Throws `invalid_input` if it lacks what the
 * law asks for; an edit may leave what was missing `before`, because a listing from before has 30 days, but not take an answer away or change
 * to other work without one.
 */
export async function settleLicence(
  db: Reader,
  listing: LicencedWork,
  given: Partial<LicenceColumns>,
  before?: LicencedWork,
): Promise<Reason> {
  const requirement = await findRequirement(db, listing);
  const isOfBefore = before !== undefined && isSameWork(before, listing);
  const named = listing.licence_below_limit ? (listing.licence_limit_minor ?? null) : null;
  if (!isLicenceAsked(requirement)) {
    // While nobody is sure, what was said about this work when the law asked stays.
    if (isOfBefore && requirement.required === 'unsure') return { licence_limit_minor: named };
    return { licence_exemption: null, licence_below_limit: false, licence_limit_minor: null };
  }
  // Whoever answers now accepts the limit of today.
  const limit = given.licence_below_limit ? requirement.thresholdMinor : named;
  const faults = listFaults(requirement, { ...listing, licence_limit_minor: limit });
  if (faults.length === 0) return { licence_limit_minor: limit };
  if (!isOfBefore || listFaults(requirement, before).length === 0) throw new AppError('invalid_input', { fields: faults });
  if (listing.licence_number) return { licence_limit_minor: null };
  return { licence_below_limit: before.licence_below_limit, licence_limit_minor: before.licence_limit_minor ?? null };
}

const toStored = (row: Selectable<DB['licence_requirements']>): StoredRequirement => ({
  _id: row.id,
  country: row.country,
  state: row.region_code === null ? null : (findRegionByCode(row.region_code)?.name ?? null),
  category: findCategoryByCode(row.category_code)?.name ?? '',
  subCategory: row.sub_category_code === null ? null : (findSubCategoryByCode(row.sub_category_code)?.name ?? null),
  required: row.required,
  thresholdMinor: row.threshold_minor,
  what: row.what,
  registerName: row.register_name,
  registerUrl: row.register_url,
  source: row.source,
  confirmed: row.confirmed,
  correctedAt: row.corrected_at?.toISOString() ?? null,
  reason: row.reason,
});

export async function listRequirements(db: Db): Promise<StoredRequirement[]> {
  const rows = await db
    .selectFrom('licence_requirements')
    .selectAll()
    .orderBy('country', 'desc')
    .orderBy('region_code', (order) => order.asc().nullsFirst())
    .orderBy('category_code')
    .orderBy('sub_category_code', (order) => order.asc().nullsFirst())
    .execute();
  return rows.map(toStored);
}

type Correction = CallInput<typeof correctLicenceRequirementCall>['body'];

/** An administrator's correction, with its reason in the audit log. Throws `licence_requirement_not_found`. */
export async function correctRequirement(
  { db, clock }: Context,
  adminId: string,
  id: string,
  form: Correction,
): Promise<StoredRequirement> {
  const row = await db.transaction().execute(async (tx) => {
    await setAuditActor(tx, adminId);
    return tx
      .updateTable('licence_requirements')
      .set({
        required: form.required,
        threshold_minor: form.thresholdMinor,
        what: form.what,
        register_name: form.registerName,
        register_url: form.registerUrl,
        source: form.source,
        // An administrator has looked at the source.
        confirmed: true,
        corrected_at: clock.now(),
        reason: form.reason,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
  });
  if (!row) throw new AppError('licence_requirement_not_found');
  return toStored(row);
}
