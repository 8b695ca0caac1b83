import type { Selectable } from 'kysely';
import { type FactColumn, type FactName, factNames, facts, mapFlags, type OwnFactName } from '@handwise/contract/facts/facts';
import { type FactForm, validateFacts } from '@handwise/contract/facts/fields';
import { parseGstNumber } from '@handwise/contract/facts/gst-number';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { formatAnswering } from '@handwise/contract/messages/reply-time';
import { parseBusinessNumber } from '@handwise/contract/registers/business-number';
import type { DB } from '../../kit/database/database.generated.ts';
import { AppError } from '../../kit/errors.ts';
import type { LicenceColumns } from '../registers/registers.service.ts';

/** The columns of the fields that a form contains; an edit keeps the others. Throws `invalid_input` for fields that contradict each other. */
export function toFactColumns(form: FactForm, country: CountryCode, now: Date) {
  const faults = validateFacts(form, country, now.getUTCFullYear());
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
const toPlainColumns = (form: FactForm) =>
  Object.fromEntries(
    factNames.filter(isPlain).flatMap((name) => (form[name] === undefined ? [] : [[facts[name].column, form[name]]])),
  ) as Partial<Pick<Selectable<DB['listings']>, FactColumn<PlainFact>>>;

const noLicence = { licence_register: null, licence_number: null, licence_name: null, licence_class: null } as const;
const noReason = { licence_exemption: null, licence_below_limit: false } as const;

/** One answer takes the place of the others. The limit of an answer is that of the law where the listing is, which its service adds. */
function toLicenceColumns(form: FactForm): Partial<LicenceColumns> {
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

type FactRow = Pick<
  Selectable<DB['listings']>,
  FactColumn | 'country' | 'answers_within_day' | 'answer_minutes' | 'answers_given' | 'answers_of'
>;

/** The facts of a row of `listings`, as its seller states them, and how it answers. */
export function toFacts(row: FactRow) {
  const { price_from_minor: from, price_unit: unit, call_out_minor: callOut, minimum_charge_minor: minimumCharge } = row;
  const hasPrices = [from, callOut, minimumCharge].some((amount) => amount !== null);
  return {
    priceGuide: hasPrices ? { from, unit, callOut, minimumCharge, currency: markets[row.country].currency } : null,
    inTradeSince: row.in_trade_since,
    hours: row.hours,
    ...mapFlags((name) => row[facts[name].column]),
    answersWithinDay: row.answers_within_day,
    answering: formatAnswering({ minutes: row.answer_minutes, given: row.answers_given, of: row.answers_of }),
  };
}
