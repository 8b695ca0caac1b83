import { validateEvidence, evidenceForm } from '@handwise/contract/evidence/calls';
import { type LicenceAnswer, licenceAnswers } from '@handwise/contract/evidence/licences';
import { type LicenceRegisterCode, licenceRegisters } from '@handwise/contract/evidence/licence-registers';
import { type PriceUnit, priceUnits } from '@handwise/contract/evidence/words';
import type { CountryCode } from '@handwise/contract/markets';
import { z } from 'zod';

const getKeys = <Key extends string>(table: Record<Key, unknown>) => Object.keys(table) as [Key, ...Key[]];
const text = z.string().max(500);

/** The texts of a form's evidence, as typed and as sent in the calls. */
export const evidenceTexts = {
  priceFrom: text,
  priceUnit: z.enum(['', ...getKeys<PriceUnit>(priceUnits)]),
  callOut: text,
  minimumCharge: text,
  inTradeSince: text,
  hours: text,
  emergency: z.enum(['', 'true']),
  insured: z.enum(['', 'true']),
  licenceAnswer: z.enum(['', ...getKeys<LicenceAnswer>(licenceAnswers)]),
  licenceRegister: z.enum(['', ...getKeys<LicenceRegisterCode>(licenceRegisters)]),
  licenceNumber: text,
  licenceName: text,
  licenceClass: text,
  licenceExemption: text,
  businessNumber: text,
};
const texts = z.object(evidenceTexts);
export type EvidenceTexts = z.infer<typeof texts>;
export type EvidenceField = keyof EvidenceTexts;

/** The server's objections, each with its field. */
export function listEvidenceProblems(values: EvidenceTexts, country: CountryCode): { field: EvidenceField; message: string }[] {
  const checked = evidenceForm.safeParse(values);
  if (checked.success) return validateEvidence(checked.data, country, new Date().getFullYear());
  return checked.error.issues.map(({ path, message }) => ({ field: path[0] as EvidenceField, message }));
}

/** Adds the rules of the evidence to a form's schema. */
export const withEvidence = <Values extends EvidenceTexts>(
  schema: z.ZodType<Values, Values>,
  country: CountryCode,
): z.ZodType<Values, Values> =>
  schema.superRefine((values, context) => {
    for (const { field, message } of listEvidenceProblems(values, country)) context.addIssue({ code: 'custom', path: [field], message });
  });
