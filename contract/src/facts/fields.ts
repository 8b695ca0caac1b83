import { z } from 'zod';
import type { CountryCode } from '../markets.ts';
import { count } from '../numbers.ts';
import { parseBusinessNumber, businessRegisters, getRegister } from '../registers/business-number.ts';
import { type LicenceRegisterCode, licenceRegisters } from '../registers/licence-registers.ts';
import { licenceAnswers } from '../registers/licences.ts';
import { atMost, line, machineLine } from '../text-fields.ts';
import { type FlagName, mapFlags } from './facts.ts';
import { parseGstNumber } from './gst-number.ts';
import { type Hours, type Weekday, weekdays } from './hours.ts';
import { type PriceUnit, priceUnits } from './prices.ts';

// Facts that help people choose a seller, as edited and as shown. All fields are optional; a blank one clears the stored value.

const getKeys = <Key extends string>(table: Record<Key, unknown>) => Object.keys(table) as [Key, ...Key[]];

const maxPriceDollars = 100_000;
const firstYearInTrade = 1850;

const amountProblem = 'Use dollars, such as 95 or 95.50';
/** Parses typed dollars to cents; null if empty. */
const amount = (least: number, tooLittle: string) =>
  machineLine()
    .max(20, amountProblem)
    .regex(/^(\$?\s?(\d{1,3}(,\d{3})+|\d+)(\.\d{1,2})?)?$/, amountProblem)
    .transform((text) => (text === '' ? null : Math.round(Number(text.replace(/[$,\s]/g, '')) * 100)))
    .refine((minor) => minor === null || minor >= least, tooLittle)
    .refine((minor) => minor === null || minor <= maxPriceDollars * 100, `Use at most $${count(maxPriceDollars)}`);

const choice = <Key extends string>(table: Record<Key, unknown>, problem: string) =>
  z.union([z.literal(''), z.enum(getKeys(table))], problem).transform((key) => (key === '' ? null : key));

const yearProblem = 'Use a year, such as 2009';
const opening = /^([01]\d|2[0-3]):[0-5]\d$/;
const closing = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/;
const dayHours = z
  .tuple([z.string().regex(opening, 'Use a time such as 07:30'), z.string().regex(closing, 'Use a time such as 17:00')])
  .refine(([from, until]) => from < until, 'Close after you open');

const hoursSchema = z.strictObject(
  Object.fromEntries(getKeys(weekdays).map((day) => [day, dayHours.optional()])) as Record<Weekday, z.ZodOptional<typeof dayHours>>,
);

const yesNo = z.enum(['true', 'false', '']).transform((text) => text === 'true');

/** What the flags of `facts` mean, for readers of the API. */
const flagMeanings: Record<FlagName, string> = {
  emergency: 'Takes emergency call-outs outside these hours',
  emergencyCallOut: 'Comes out after hours: in the evening, at night or at the weekend',
  insured: 'The seller says they have public liability insurance',
};

/** Fields of the calls that create and edit a listing. Omitted ones stay unchanged. */
export const factFields = {
  priceFrom: amount(1, 'Use at least one cent')
    .optional()
    .meta({ example: '95', description: 'Where prices start, in dollars of the listing’s country, GST included' }),
  priceUnit: choice(priceUnits, 'Choose what the price is for').optional(),
  callOut: amount(0, amountProblem).optional().meta({ example: '60', description: 'The call-out fee in dollars; 0 if there is none' }),
  minimumCharge: amount(0, amountProblem)
    .optional()
    .meta({ example: '120', description: 'The least that a job costs, in dollars; 0 if there is no minimum' }),
  inTradeSince: machineLine()
    .regex(/^(\d{4})?$/, yearProblem)
    .transform((text) => (text === '' ? null : Number(text)))
    .refine((year) => year === null || year >= firstYearInTrade, `Use a year from ${firstYearInTrade} on`)
    .optional()
    .meta({ example: '2009' }),
  hours: line()
    .max(400)
    .transform((text, context): Hours | null => {
      if (text === '') return null;
      try {
        const hours = hoursSchema.parse(JSON.parse(text));
        return Object.values(hours).some(Boolean) ? hours : null;
      } catch (error) {
        const problem = error instanceof z.ZodError ? error.issues[0]?.message : undefined;
        context.addIssue(problem ?? 'Use a JSON object of days with opening and closing times');
        return z.NEVER;
      }
    })
    .optional()
    .meta({ example: '{"mon":["07:30","17:00"]}', description: 'Any day left out is closed' }),
  ...mapFlags((name) => yesNo.optional().meta({ description: flagMeanings[name] })),
  licenceAnswer: choice(licenceAnswers, 'Choose one of the answers')
    .optional()
    .meta({ description: 'Where the law asks for a licence; only the fields of the chosen answer are stored' }),
  licenceRegister: choice(licenceRegisters, 'Choose one of the registers').optional(),
  licenceNumber: machineLine()
    .max(...atMost(40))
    .optional(),
  licenceName: line()
    .max(...atMost(100))
    .optional()
    .meta({ description: 'Who holds the licence' }),
  licenceClass: line()
    .max(...atMost(100))
    .optional()
    .meta({ description: 'Its class, as the register has it', example: 'Certifying plumber' }),
  licenceExemption: line()
    .max(...atMost(200))
    .optional()
    .meta({ description: 'Which exemption applies, for the answer exempt' }),
  businessNumber: machineLine()
    .max(...atMost(40))
    .optional()
    .meta({ description: 'NZBN or ABN, depending on the country' }),
  gstNumber: machineLine()
    .max(...atMost(40))
    .optional()
    .meta({ example: '49-091-850', description: 'In New Zealand; only the quotes of the business show it' }),
  gstRegistered: yesNo
    .optional()
    .meta({ description: 'In Australia: the business is registered for GST under its ABN, which its quotes say' }),
};
export const factForm = z.object(factFields);
export type FactForm = z.output<typeof factForm>;

type Fault = { field: keyof FactForm; message: string };

/** Contradictions between fields, in the order of the form. `year` is the current one. An answer that lacks its text is one only where the law asks. */
export function validateFacts(form: FactForm, country: CountryCode, year: number): Fault[] {
  const { priceFrom, priceUnit, inTradeSince, businessNumber, licenceAnswer, gstNumber, gstRegistered } = form;
  // What belongs to another answer is not stored.
  const { licenceRegister, licenceNumber, licenceName } = licenceAnswer === 'exempt' || licenceAnswer === 'below-limit' ? {} : form;
  const { number } = businessRegisters[getRegister(country)];
  const faults: (Fault | false)[] = [
    Boolean(priceFrom) && !priceUnit && { field: 'priceUnit', message: 'Choose what the price is for' },
    Boolean(priceUnit) && !priceFrom && { field: 'priceFrom', message: 'Say where your prices begin' },
    (inTradeSince ?? 0) > year && { field: 'inTradeSince', message: 'Use a year that has begun' },
    Boolean(licenceRegister) &&
      licenceRegisters[licenceRegister as LicenceRegisterCode].country !== country && {
        field: 'licenceRegister',
        message: 'Choose a register of the listing’s country',
      },
    Boolean(licenceNumber || licenceName) &&
      !licenceRegister && { field: 'licenceRegister', message: 'Choose the register of the licence' },
    Boolean(licenceRegister) && !licenceNumber && { field: 'licenceNumber', message: 'Use the number of the licence' },
    Boolean(licenceRegister) && !licenceName && { field: 'licenceName', message: 'Say who holds the licence' },
    Boolean(businessNumber) &&
      parseBusinessNumber(businessNumber ?? '', country) === undefined && {
        field: 'businessNumber',
        message: `This is not a valid ${number}: a digit is wrong or missing`,
      },
    country === 'NZ' &&
      Boolean(gstNumber) &&
      parseGstNumber(gstNumber ?? '') === undefined && {
        field: 'gstNumber',
        message: 'This is not a valid GST number: a digit is wrong or missing',
      },
    country === 'AU' &&
      Boolean(gstRegistered) &&
      businessNumber === '' && { field: 'businessNumber', message: 'Use the ABN under which you are registered for GST' },
  ];
  return faults.filter((fault) => fault !== false);
}

const priceGuide = z.object({
  from: z.int().nullable().meta({ description: 'In cents, GST included' }),
  unit: z.enum(getKeys<PriceUnit>(priceUnits)).nullable(),
  callOut: z.int().nullable().meta({ description: 'The call-out fee in cents; 0 if there is none' }),
  minimumCharge: z.int().nullable().meta({ description: 'The least that a job costs, in cents; 0 if there is no minimum' }),
  currency: z.enum(['NZD', 'AUD']),
});

/** Shown on each card and page of a listing, as the seller states it; how it answers is worked out. */
export const shownFacts = {
  priceGuide: priceGuide.nullable(),
  inTradeSince: z.int().nullable().meta({ description: 'The year they started in the trade' }),
  hours: hoursSchema.nullable(),
  ...mapFlags((name) => z.boolean().meta({ description: flagMeanings[name] })),
  answersWithinDay: z.boolean().meta({ description: 'Recent messages were mostly answered within a day; worked out once a day' }),
  answering: z.string().nullable().meta({
    description: 'How they answer first messages, in words; worked out once a day',
    example: 'Answers within about 2 hours, 18 of the last 20 messages',
  }),
};
