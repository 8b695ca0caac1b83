import { z } from 'zod';
import type { Call } from '../call.ts';
import { countryCode } from '../country-code.ts';
import { atMost, line, requiredLine, requiredLines } from '../text-fields.ts';
import { webAddress } from '../web-address.ts';
import { businessRegisters } from './business-number.ts';
import { type LicenceResult, licenceNeeds, licenceProblems, licenceResults, licenceStates } from './licences.ts';

const getKeys = <Key extends string>(table: Record<Key, unknown>) => Object.keys(table) as [Key, ...Key[]];

const register = z.enum(getKeys(businessRegisters));

/** A public register's entry of the business, with the date of the check. */
const verification = z.object({
  register,
  registerName: z.string().meta({ example: 'New Zealand Business Number register' }),
  number: z.string(),
  name: z.string().meta({ description: 'The business’s name in the register' }),
  date: z.iso.datetime(),
  page: z.string().meta({ description: 'Where anyone can read the entry' }),
  sandbox: z.boolean().meta({ description: 'A stand-in answered instead of the register, so nothing was checked' }),
  notMeant: z.string().meta({ description: 'What the badge does not mean' }),
});
export type Verification = z.infer<typeof verification>;

/** What cards and pages of a listing show of its licence and of register checks. Everything except `verified` is the seller's own statement. */
export const shownRegistration = {
  licence: z
    .object({
      register: z.string(),
      registerName: z.string(),
      page: z.string(),
      number: z.string(),
      name: z.string(),
      class: z.string().nullable().meta({ description: 'As the business states it' }),
      classWords: z.string().nullable().meta({ description: 'The class, with whether it is the register’s' }),
      checkedAt: z.iso.datetime().nullable().meta({ description: 'When it was found in the register; null if not, or over 90 days ago' }),
      sandbox: z.boolean().meta({ description: 'A stand-in answered instead of the register, so nothing was checked' }),
    })
    .nullable()
    .meta({ description: 'As claimed by the seller; the link leads to where it can be looked up' }),
  withoutLicence: z
    .object({
      exemption: z.string().nullable(),
      limitMinor: z.int().nullable().meta({ description: 'It only works below this value, in cents; null if the limit is a kind of work' }),
    })
    .nullable()
    .meta({ description: 'Why it needs no licence, as the seller says; null if it says nothing' }),
  verified: z.array(verification),
};

/** For the owner: the licence as they stated it. */
export const statedLicence = z.object({ register: z.string(), number: z.string(), name: z.string(), class: z.string().nullable() });

/** For the owner: the state of the check of their licence. */
export const ownLicenceCheck = z.object({
  state: z.enum(licenceStates),
  hidden: z.boolean().meta({ description: 'Others do not see the licence' }),
  endsOn: z.iso.date().nullable(),
  checkedAt: z.iso.datetime().nullable(),
  problem: z.enum(licenceProblems).nullable().meta({ description: 'Why an answer of the register is missing' }),
});
export type OwnLicenceCheck = z.infer<typeof ownLicenceCheck>;

/** For the owner: the number and the state of its check. */
export const ownCheck = z.object({
  register,
  number: z.string(),
  state: z.enum(['claimed', 'valid', 'verified', 'refused', 'gone']),
  registerName: z.string().nullable(),
  checkedAt: z.iso.datetime().nullable(),
});
export type OwnCheck = z.infer<typeof ownCheck>;

const required = z
  .enum(licenceNeeds, 'Use yes, above-threshold, unsure or no')
  .meta({ description: 'above-threshold: from a value, or for a kind of the work. unsure: nothing is required' });
const thresholdMinor = z.int().min(1, 'Use a value above $0').max(1_000_000_000).nullable();

const requirement = z.object({
  required,
  thresholdMinor: thresholdMinor.meta({ description: 'The value from which a licence is needed, in cents; null if the law has none' }),
  what: z.string().meta({ description: 'Which licence' }),
  registerName: z.string(),
  registerUrl: z.string(),
});

export const getLicenceRequirementCall = {
  method: 'GET',
  url: '/licences/requirement',
  summary: 'Get what the law asks for where a listing is',
  details: 'General information, not advice. Without a sub-category, what most of the category asks for.',
  access: 'public',
  query: z.strictObject({
    region: requiredLine('Choose a region', 60),
    category: requiredLine('Choose a category', 60),
    subCategory: line()
      .max(...atMost(60))
      .optional(),
  }),
  response: requirement.extend({
    register: z.string().nullable().meta({ description: 'The code of the register for `licenceRegister`' }),
  }),
  errors: [],
} as const satisfies Call;

const storedRequirement = requirement.extend({
  _id: z.uuid(),
  country: countryCode,
  state: z.string().nullable(),
  category: z.string(),
  subCategory: z.string().nullable(),
  source: z.string(),
  confirmed: z.boolean().meta({ description: 'Whether the source says so; without it nothing is required' }),
  correctedAt: z.iso.datetime().nullable(),
  reason: z.string().nullable().meta({ description: 'Why it was last corrected' }),
});
export type StoredRequirement = z.infer<typeof storedRequirement>;

export const listLicenceRequirementsCall = {
  method: 'GET',
  url: '/admin/licences/requirements',
  summary: 'List where the law asks for a licence, by country, state and work',
  access: 'admin',
  response: z.object({ requirements: z.array(storedRequirement) }),
  errors: [],
} as const satisfies Call;

export const correctLicenceRequirementCall = {
  method: 'POST',
  url: '/admin/licences/requirements/:id',
  summary: 'Correct what the law asks for',
  details: 'It stays as corrected when the site is updated. Listings that then lack an answer have 30 days.',
  access: 'admin',
  params: z.object({ id: z.uuid('Use the id of a row') }),
  body: z.strictObject({
    required,
    thresholdMinor,
    what: requiredLine('Say which licence, or that there is none', 400),
    registerName: line().max(...atMost(120)),
    registerUrl: webAddress,
    source: requiredLine('Say where this is written', 600),
    reason: requiredLines('Say why: it stays in the audit log', 500),
  }),
  response: z.object({ requirement: storedRequirement }),
  errors: ['licence_requirement_not_found'],
} as const satisfies Call;

const claim = z.object({
  listingId: z.uuid(),
  title: z.string(),
  business: z.string(),
  registerName: z.string(),
  page: z.string().meta({ description: 'Where the licence can be looked up' }),
  number: z.string(),
  holder: z.string(),
  class: z.string().nullable(),
  state: z.enum(licenceStates),
  problem: z
    .enum(licenceProblems)
    .nullable()
    .meta({ description: 'Why the register’s own answer is missing: it was down or odd, or had nothing under the number' }),
  queuedAt: z.iso.datetime(),
});
export type LicenceClaim = z.infer<typeof claim>;

export const listLicenceQueueCall = {
  method: 'GET',
  url: '/admin/licences/queue',
  summary: 'List the licences that wait to be looked up, oldest first',
  access: 'admin',
  query: z.strictObject({
    page: z.coerce
      .string()
      .regex(/^[1-9]\d{0,4}$/, 'Use a page number from 1')
      .transform(Number)
      .optional(),
  }),
  response: z.object({ claims: z.array(claim), currentPage: z.int(), totalPages: z.int(), total: z.int() }),
  errors: [],
} as const satisfies Call;

const https = webAddress.refine((address) => address === '' || address.startsWith('https:'), 'Use an address that begins with https');

/** What was found; only `not_found` goes without the record. */
const finding = z.strictObject({
  number: requiredLine('Say which number was looked up', 40),
  holder: requiredLine('Say whose licence was looked up', 100),
  result: z.enum(getKeys<LicenceResult>(licenceResults), 'Say what the register has'),
  recordUrl: https.default(''),
  foundHolder: line()
    .max(...atMost(300))
    .default(''),
  foundClass: line()
    .max(...atMost(300))
    .default(''),
  foundStatus: line()
    .max(...atMost(300))
    .default(''),
  endsOn: z.union([z.literal(''), z.iso.date()], 'Use a date, as in 2027-01-31').default(''),
});

export const recordLicenceCheckCall = {
  method: 'POST',
  url: '/admin/licences/queue/:listingId',
  summary: 'Record what a register says about a listing’s licence',
  details: 'A licence that has ended, is suspended or is somebody else’s is hidden at once, and the business is told.',
  access: 'admin',
  params: z.object({ listingId: z.uuid('Use the id of a listing') }),
  body: finding,
  response: z.object({ message: z.string() }),
  errors: ['licence_claim_changed', 'own_matter'],
} as const satisfies Call;
export type RecordLicenceForm = z.output<(typeof recordLicenceCheckCall)['body']>;
