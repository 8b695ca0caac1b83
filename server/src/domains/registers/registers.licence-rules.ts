import { findCategoryByCode } from '@handwise/contract/listings/categories';
import type { CountryCode } from '@handwise/contract/markets';
import type { RecordLicenceForm } from '@handwise/contract/registers/calls';
import { findRegisterByAddress, type LicenceRegisterCode } from '@handwise/contract/registers/licence-registers';
import { isLicenceAsked, type LicenceRequirement, type LicenceState } from '@handwise/contract/registers/licences';
import { invalidField } from '../../kit/errors.ts';
import type { LicenceRecord } from '../../kit/integrations/licence-register.ts';
import type { RequirementRow } from './registers.licence-rows.ts';
import { isSameBusiness } from './registers.rules.ts';

/** What the law asks for, with where it can be looked up. */
export type ResolvedRequirement = LicenceRequirement & {
  what: string;
  registerName: string;
  registerUrl: string;
  register: LicenceRegisterCode | null;
};

const nothingKnown: ResolvedRequirement = {
  required: 'unsure',
  thresholdMinor: null,
  what: '',
  registerName: '',
  registerUrl: '',
  register: null,
};

type Row = Pick<
  RequirementRow,
  'country' | 'sub_category_code' | 'required' | 'threshold_minor' | 'what' | 'register_name' | 'register_url' | 'confirmed'
>;

function toRequirement(row: Row): ResolvedRequirement {
  return {
    // Without a source nothing is required.
    required: row.confirmed ? row.required : 'unsure',
    thresholdMinor: row.threshold_minor,
    what: row.what,
    registerName: row.register_name,
    registerUrl: row.register_url,
    register: findRegisterByAddress(row.register_url, row.country),
  };
}

/**
 * What is asked for in a group's sub-category, from the rows of that group where the listing is. Without a sub-category, what most of the
 * group's sub-categories ask for: a few that need a licence do not bind the others.
 */
export function resolveRequirement(rows: readonly Row[], categoryCode: number, subCategoryCode: number | null): ResolvedRequirement {
  const ofGroup = rows.find((row) => row.sub_category_code === null);
  if (subCategoryCode !== null) {
    const row = rows.find((one) => one.sub_category_code === subCategoryCode) ?? ofGroup;
    return row ? toRequirement(row) : nothingKnown;
  }
  if (ofGroup) return toRequirement(ofGroup);
  const asked = rows.map(toRequirement).filter(isLicenceAsked);
  const subs = findCategoryByCode(categoryCode)?.subCategories.length ?? 0;
  const always = asked.filter(({ required }) => required === 'yes');
  const most = always.length * 2 > subs ? always : asked.length * 2 > subs ? asked : [];
  const [first] = most;
  if (!first) return nothingKnown;
  const limits = new Set(most.map(({ thresholdMinor }) => thresholdMinor));
  return {
    ...first,
    required: most === always ? 'yes' : 'above-threshold',
    // Several limits are none that one answer can name.
    thresholdMinor: limits.size === 1 ? first.thresholdMinor : null,
    what: [...new Set(most.map(({ what }) => what))].join('; '),
  };
}

/** The place and work of a listing, as its row has them. */
export type WorkRow = { country: CountryCode; region_code: number; category_code: number; sub_category_code: number | null };

/** New Zealand has one law; Australia's are by state. */
export const getLawRegion = ({ country, region_code: region }: Pick<WorkRow, 'country' | 'region_code'>): number | null =>
  country === 'AU' ? region : null;

/** The state of a claim, from the register's record on a day. */
export function evaluateLicence(record: LicenceRecord, holder: string, today: string): Exclude<LicenceState, 'stated'> {
  if (!isSameBusiness(holder, record.holder)) return 'other_holder';
  if (record.state === 'suspended') return 'suspended';
  return record.state === 'ended' || (record.endsOn !== null && record.endsOn < today) ? 'ended' : 'valid';
}

/** Throws `invalid_input` for a finding without its record, or one that its end contradicts. */
export function checkFinding({ result, recordUrl, foundHolder, foundStatus, endsOn }: RecordLicenceForm, today: string): void {
  if (result === 'not_found') return;
  if (recordUrl === '') throw invalidField('recordUrl', 'Give the address of the record');
  if (foundHolder === '') throw invalidField('foundHolder', 'Say whom the register names');
  if (foundStatus === '') throw invalidField('foundStatus', 'Say which status the register has');
  if (result === 'valid' && endsOn !== '' && endsOn < today)
    throw invalidField('endsOn', 'A licence that has ended is not current: choose “It has ended”');
}
