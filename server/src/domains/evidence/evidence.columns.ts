import { businessNumberOf } from '@handwise/contract/evidence/business-number';
import { type EvidenceForm, evidenceFaults } from '@handwise/contract/evidence/calls';
import type { CountryCode } from '@handwise/contract/markets';
import { AppError } from '../../kit/errors.ts';

/**
 * The columns of what a form says for people to decide on: those that it names, so that an edit keeps what it says nothing of. Throws
 * `invalid_input` for what does not fit together.
 */
export function evidenceColumnsOf(form: EvidenceForm, country: CountryCode, now: Date) {
  const faults = evidenceFaults(form, country, now.getUTCFullYear());
  if (faults.length > 0) throw new AppError('invalid_input', { fields: faults });
  const { priceFrom, callOut, inTradeSince, hours, emergency, insured, licenceRegister, businessNumber } = form;
  return {
    ...(priceFrom !== undefined && { price_from_minor: priceFrom, price_unit: form.priceUnit ?? null }),
    ...(callOut !== undefined && { call_out_minor: callOut }),
    ...(inTradeSince !== undefined && { in_trade_since: inTradeSince }),
    ...(hours !== undefined && { hours: hours && JSON.stringify(hours) }),
    ...(emergency !== undefined && { emergency }),
    ...(insured !== undefined && { insured }),
    ...(licenceRegister !== undefined && {
      licence_register: licenceRegister,
      licence_number: form.licenceNumber || null,
      licence_name: form.licenceName || null,
    }),
    ...(businessNumber !== undefined && { business_number: businessNumberOf(businessNumber, country) ?? null }),
  };
}
