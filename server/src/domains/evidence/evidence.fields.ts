import type { Selectable } from 'kysely';
import { parseBusinessNumber, formatBusinessNumber, businessRegisters } from '@handwise/contract/evidence/business-number';
import {
  type EvidenceForm,
  validateEvidence,
  type OwnCheck,
  type OwnLicenceCheck,
  type Verification,
} from '@handwise/contract/evidence/calls';
import { type FactColumn, type FactName, factNames, facts, mapFlags, type OwnFactName } from '@handwise/contract/evidence/facts';
import { parseGstNumber } from '@handwise/contract/evidence/gst-number';
import { type LicenceRegisterCode, licenceRegisters } from '@handwise/contract/evidence/licence-registers';
import { formatLicenceClass, notMeantByVerified } from '@handwise/contract/evidence/words';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { formatAnswering } from '@handwise/contract/messages/reply-time';
import type { DB } from '../../kit/database/database.generated.ts';
import { AppError } from '../../kit/errors.ts';
import type { LicenceCheckedRow, LicenceCheckRow } from './evidence.licence-checks.ts';
import type { CheckRow, VerifiedRow } from './evidence.queries.ts';
import type { LicenceColumns } from './evidence.requirements.ts';

/** The columns of the fields that a form contains; an edit keeps the others. Throws `invalid_input` for fields that contradict each other. */
export function toEvidenceColumns(form: EvidenceForm, country: CountryCode, now: Date) {
  const faults = validateEvidence(form, country, now.getUTCFullYear());
  if (faults.length > 0) throw new AppError('invalid_input', { fields: faults });
  const { priceFrom, hours, businessNumber, gstNumber, gstRegistered } = form;
  return {
    ...toPlainColumns(form),
    // A price and its unit are stored together.
    ...(priceFrom !== undefined && { price_unit: form.priceUnit ?? null }),
    ...(hours !== undefined && { hours: hours && JSON.stringify(hours) }),
    ...toLicenceColumns(form),
    ...(businessNumber !== undefined && { business_number: parseBusinessNumber(businessNumber, country) ?? null }),
    ...(gstNumber !== undefined && { gst_number: country === 'NZ' ? (parseGstNumber(gstNumber) ?? null) : null }),
    ...(gstRegistered !== undefined && { gst_registered: country === 'AU' && gstRegistered }),
  };
}

type PlainFact = Exclude<FactName, OwnFactName | 'priceUnit'>;
const isPlain = (name: FactName): name is PlainFact => facts[name].kind !== 'own' && name !== 'priceUnit';

/** The columns that hold what the form has. */
const toPlainColumns = (form: EvidenceForm) =>
  Object.fromEntries(
    factNames.filter(isPlain).flatMap((name) => (form[name] === undefined ? [] : [[facts[name].column, form[name]]])),
  ) as Partial<Pick<Selectable<DB['listings']>, FactColumn<PlainFact>>>;

const noLicence = { licence_register: null, licence_number: null, licence_name: null, licence_class: null } as const;
const noReason = { licence_exemption: null, licence_below_limit: false } as const;

/** One answer takes the place of the others. The limit of an answer is that of the law where the listing is, which its service adds. */
function toLicenceColumns(form: EvidenceForm): Partial<LicenceColumns> {
  const { licenceAnswer, licenceRegister } = form;
  if (licenceAnswer === 'exempt') return { ...noLicence, ...noReason, licence_exemption: form.licenceExemption || null };
  if (licenceAnswer === 'below-limit') return { ...noLicence, ...noReason, licence_below_limit: true };
  if (licenceRegister === undefined) return licenceAnswer === null ? noReason : {};
  const licence = licenceRegister && {
    licence_register: licenceRegister,
    licence_number: form.licenceNumber || null,
    licence_name: form.licenceName || null,
    ...(form.licenceClass !== undefined && { licence_class: form.licenceClass || null }),
  };
  // Another version's form knows no answers: without a licence it changes none of them.
  return licence ? { ...licence, ...noReason } : { ...noLicence, ...(licenceAnswer !== undefined && noReason) };
}

type EvidenceRow = Pick<
  Selectable<DB['listings']>,
  | FactColumn
  | 'country'
  | 'answers_within_day'
  | 'answer_minutes'
  | 'answers_given'
  | 'answers_of'
  | 'licence_limit_minor'
  | 'licence_hidden'
> & {
  licence_checked_by: LicenceCheckedRow | null;
  verified_by: VerifiedRow[] | null;
};

const toIso = (time: string) => new Date(time).toISOString();

function toVerification({ register, number, name, at, sandbox }: VerifiedRow): Verification {
  const known = businessRegisters[register];
  return {
    register,
    registerName: sandbox ? `Sandbox, in place of the ${known.name}` : known.name,
    number: formatBusinessNumber(number, register),
    name,
    date: toIso(at),
    page: known.page(number),
    sandbox,
    notMeant: notMeantByVerified,
  };
}

function toLicence(row: EvidenceRow) {
  const { licence_register: code, licence_number: number, licence_name: name } = row;
  const register = code !== null && code in licenceRegisters ? licenceRegisters[code as LicenceRegisterCode] : undefined;
  if (code === null || !register || row.licence_hidden) return null;
  const checked = row.licence_checked_by;
  return {
    register: code,
    registerName: register.name,
    page: register.page,
    number: number ?? '',
    name: name ?? '',
    class: row.licence_class,
    classWords: formatLicenceClass(row.licence_class, checked ? checked.class : undefined),
    checkedAt: checked && toIso(checked.at),
    sandbox: checked?.sandbox ?? false,
  };
}

/** A listing's licence as its seller stated it, whatever a check found. */
export function toStatedLicence(row: EvidenceRow) {
  const { licence_register: register, licence_number: number, licence_name: name } = row;
  return register !== null && number !== null ? { register, number, name: name ?? '', class: row.licence_class } : null;
}

/** The evidence fields of a row of `listings`. */
export function toEvidence(row: EvidenceRow) {
  const { price_from_minor: from, price_unit: unit, call_out_minor: callOut, minimum_charge_minor: minimumCharge } = row;
  const hasPrices = [from, callOut, minimumCharge].some((amount) => amount !== null);
  return {
    priceGuide: hasPrices ? { from, unit, callOut, minimumCharge, currency: markets[row.country].currency } : null,
    inTradeSince: row.in_trade_since,
    hours: row.hours,
    ...mapFlags((name) => row[facts[name].column]),
    answersWithinDay: row.answers_within_day,
    answering: formatAnswering({ minutes: row.answer_minutes, given: row.answers_given, of: row.answers_of }),
    licence: toLicence(row),
    withoutLicence:
      row.licence_exemption !== null || row.licence_below_limit
        ? { exemption: row.licence_exemption, limitMinor: row.licence_limit_minor }
        : null,
    verified: (row.verified_by ?? []).map(toVerification),
  };
}

/** The check of a licence, for the seller. */
export const toOwnLicenceCheck = ({
  licence_check: check,
  licence_hidden: hidden,
}: {
  licence_check: LicenceCheckRow | null;
  licence_hidden: boolean;
}): OwnLicenceCheck | null =>
  check && {
    state: check.state,
    hidden,
    endsOn: check.endsOn,
    checkedAt: check.checkedAt && toIso(check.checkedAt),
    problem: check.problem,
  };

/** The check of a number, for the seller. */
export const toOwnCheck = ({ number, checkedAt, ...check }: CheckRow): OwnCheck => ({
  ...check,
  number: formatBusinessNumber(number, check.register),
  checkedAt: checkedAt && toIso(checkedAt),
});
