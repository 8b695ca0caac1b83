import type { Selectable } from 'kysely';
import { businessRegisters, formatBusinessNumber } from '@handwise/contract/registers/business-number';
import type { OwnCheck, OwnLicenceCheck, Verification } from '@handwise/contract/registers/calls';
import { type LicenceRegisterCode, licenceRegisters } from '@handwise/contract/registers/licence-registers';
import { formatLicenceClass, notMeantByVerified } from '@handwise/contract/registers/words';
import type { DB } from '../../kit/database/database.generated.ts';
import type { LicenceCheckedRow, LicenceCheckRow } from './registers.licence-checks.ts';
import type { CheckRow, VerifiedRow } from './registers.queries.ts';
import type { LicenceColumns } from './registers.requirements.ts';

type RegistrationRow = LicenceColumns &
  Pick<Selectable<DB['listings']>, 'licence_limit_minor' | 'licence_hidden'> & {
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

function toLicence(row: RegistrationRow) {
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
export function toStatedLicence(row: RegistrationRow) {
  const { licence_register: register, licence_number: number, licence_name: name } = row;
  return register !== null && number !== null ? { register, number, name: name ?? '', class: row.licence_class } : null;
}

/** The licence of a row of `listings`, or why it has none, and the register's entries. */
export function toRegistration(row: RegistrationRow) {
  return {
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
