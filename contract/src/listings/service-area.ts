import { z } from 'zod';
import type { Call } from '../call.ts';
import { countryCode } from '../country-code.ts';
import { atMost, line } from '../text-fields.ts';
import { isDistance, maxServiceDistricts, type ServiceAreaForm } from './service-area-form.ts';

// Where a business is based and which area it serves. All fields are optional.

const radiusKm = { min: 1, max: 200 };
const noRadius = `Use a whole number of kilometres from ${radiusKm.min} to ${radiusKm.max}, or leave it empty`;

/** Fields of the calls that create and change a listing. Omitted ones stay unchanged; empty ones are cleared. */
export const serviceAreaFields = {
  base: line()
    .max(...atMost(80))
    .optional()
    .meta({
      description: 'A town or suburb in the district of `location`, by name, with its postcode if the district has two of that name',
      example: 'Cambridge',
    }),
  serviceRadiusKm: z
    .union([z.literal(''), z.coerce.number(noRadius).int(noRadius).min(radiusKm.min, noRadius).max(radiusKm.max, noRadius)], noRadius)
    .transform((radius) => (radius === '' ? null : radius))
    .optional()
    .meta({ description: 'How far from its base it travels. Needs `base`; cannot be combined with serviceDistricts' }),
  serviceDistricts: z
    .preprocess(
      (value) => (typeof value === 'string' ? value.split(',') : value),
      z.array(line('Choose districts by their names').max(60), { error: 'Choose districts by their names' }),
    )
    .transform((names) => [...new Set(names.filter((name) => name !== ''))])
    .refine((names) => names.length <= maxServiceDistricts, `Choose at most ${maxServiceDistricts} districts`)
    .optional()
    .meta({ description: 'The names of the districts it travels to, separated by commas. Its own is always included' }),
};

const radiusNeedsBase = 'Say which town or suburb you are based in, so that the distance counts from there';

export const serviceAreaForm = {
  base: line().max(...atMost(80)),
  reach: line().max(20),
  serviceDistricts: z.array(z.string().max(60)).max(maxServiceDistricts, `Choose at most ${maxServiceDistricts} districts`),
};

/** A distance requires a base. */
export const hasBaseForDistance = ({ base, reach }: Pick<ServiceAreaForm, 'base' | 'reach'>) => !isDistance(reach) || base.trim() !== '';
export const lacksBase = { path: ['base'], error: radiusNeedsBase, when: () => true };

export const serviceAreaProblems = {
  radiusNeedsBase,
  both: 'Choose a distance or districts, not both',
} as const;

/** Fields of every listing. */
export const shownServiceArea = {
  base: z
    .string()
    .nullable()
    .meta({ description: 'The town or suburb where it is based; null if only the district is known', example: 'Cambridge' }),
  serviceRadiusKm: z.int().nullable().meta({ description: 'How far from its base it travels, if it says so' }),
  serviceDistricts: z.array(z.string()).meta({ description: 'The districts it travels to, if it names them' }),
};

/** The maximum number of suggested towns and suburbs. */
export const maxBases = 50;

export const suggestBasesCall = {
  method: 'GET',
  url: '/listing/bases',
  summary: 'List towns and suburbs of a district by the start of their names',
  details: 'A listing in the district can be based in one of them.',
  access: 'public',
  query: z.strictObject({
    district: line('Name a district').min(1, 'Name a district').max(60).meta({ example: 'Waipā' }),
    begins: line().max(80).optional(),
  }),
  response: z.object({
    bases: z.array(z.string()).meta({ description: `At most ${maxBases}, each as \`base\` takes it` }),
    named: z.string().nullable().meta({ description: 'The one whose full name is `begins`' }),
  }),
  errors: [],
} as const satisfies Call;

/** The maximum number of towns and suburbs suggested in a whole country. */
export const maxTowns = 8;

export const suggestTownsCall = {
  method: 'GET',
  url: '/listing/towns',
  summary: 'List towns and suburbs by the start of their names, biggest first, with their regions and districts',
  details: 'On a site of one country, only those of that country.',
  access: 'public',
  query: z.strictObject({
    begins: line('Name a town or suburb').min(1, 'Name a town or suburb').max(80).meta({ example: 'camb' }),
    country: countryCode.optional(),
  }),
  response: z.object({
    towns: z
      .array(
        z.object({
          name: z.string().meta({ example: 'Cambridge' }),
          label: z.string().meta({ example: 'Cambridge, Waikato' }),
          base: z.string().meta({ description: 'As a listing takes it', example: 'Cambridge' }),
          district: z.string().meta({ example: 'Waipā' }),
          region: z.string().meta({ example: 'Waikato' }),
          country: countryCode,
        }),
      )
      .meta({ description: `At most ${maxTowns}` }),
  }),
  errors: [],
} as const satisfies Call;
export type Town = z.infer<typeof suggestTownsCall.response>['towns'][number];
