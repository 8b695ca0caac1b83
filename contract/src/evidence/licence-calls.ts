import { z } from 'zod';
import type { Call } from '../call.ts';
import { countryCode } from '../country-code.ts';
import { atMost, line, requiredLine, requiredLines } from '../text-fields.ts';
import { webAddress } from '../web-address.ts';
import { licenceNeeds } from './licences.ts';

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

export const getLicenceRequirement = {
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

export const listLicenceRequirements = {
  method: 'GET',
  url: '/admin/licences/requirements',
  summary: 'List where the law asks for a licence, by country, state and work',
  access: 'admin',
  response: z.object({ requirements: z.array(storedRequirement) }),
  errors: [],
} as const satisfies Call;

export const correctLicenceRequirement = {
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
