import { validateFacts, factForm } from '@handwise/contract/facts/fields';
import { type FactName, factNames, facts } from '@handwise/contract/facts/facts';
import { type LicenceAnswer, licenceAnswers } from '@handwise/contract/registers/licences';
import { type LicenceRegisterCode, licenceRegisters } from '@handwise/contract/registers/licence-registers';
import type { CountryCode } from '@handwise/contract/markets';
import { z } from 'zod';

const getKeys = <Key extends string>(table: Record<Key, unknown>) => Object.keys(table) as [Key, ...Key[]];
const text = z.string().max(500);

type FactText<Fact> = Fact extends { kind: 'flag' }
  ? '' | 'true'
  : Fact extends { choices: Readonly<Record<infer Choice extends string, string>> }
    ? '' | Choice
    : string;

function createText(name: FactName): z.ZodType {
  const fact = facts[name];
  if (fact.kind === 'flag') return z.enum(['', 'true']);
  return 'choices' in fact ? z.enum(['', ...getKeys(fact.choices)]) : text;
}

/** The texts of a form's facts, as typed and as sent in the calls. */
export const factTexts = {
  ...(Object.fromEntries(factNames.map((name) => [name, createText(name)])) as {
    [Name in FactName]: z.ZodType<FactText<(typeof facts)[Name]>, FactText<(typeof facts)[Name]>>;
  }),
  licenceAnswer: z.enum(['', ...getKeys<LicenceAnswer>(licenceAnswers)]),
  licenceRegister: z.enum(['', ...getKeys<LicenceRegisterCode>(licenceRegisters)]),
  gstRegistered: z.enum(['', 'true']),
};
const texts = z.object(factTexts);
export type FactTexts = z.infer<typeof texts>;

/** The server's objections, each with its field. */
export function listFactProblems(values: FactTexts, country: CountryCode): { field: FactName; message: string }[] {
  const checked = factForm.safeParse(values);
  if (checked.success) return validateFacts(checked.data, country, new Date().getFullYear());
  return checked.error.issues.map(({ path, message }) => ({ field: path[0] as FactName, message }));
}

/** Adds the rules of the facts to a form's schema. */
export const withFacts = <Values extends FactTexts>(schema: z.ZodType<Values, Values>, country: CountryCode): z.ZodType<Values, Values> =>
  schema.superRefine((values, context) => {
    for (const { field, message } of listFactProblems(values, country)) context.addIssue({ code: 'custom', path: [field], message });
  });
