import { z } from 'zod';
import { provider } from '../accounts/identities.ts';
import type { Call } from '../call.ts';
import { countryCode } from '../country-code.ts';
import { categories } from '../listings/categories.ts';
import { complaintDays } from '../periods.ts';
import { regions } from '../places/regions.ts';

export const getLiveCall = {
  method: 'GET',
  url: '/live',
  summary: 'Check whether this process answers at all',
  details: 'It answers even while the database is down. Restart a process that does not answer it.',
  access: 'public',
  response: z.object({ status: z.literal('ok') }),
  errors: [],
} as const satisfies Call;

export const getHealthCall = {
  method: 'GET',
  url: '/health',
  summary: 'Check whether this server can answer: its database, migrations and demo data are ready',
  access: 'public',
  response: z.object({ status: z.literal('ok'), version: z.string(), uptimeSeconds: z.number() }),
  errors: ['unavailable'],
} as const satisfies Call;

export const getConfigCall = {
  method: 'GET',
  url: '/config',
  summary: 'Get what the browser needs to know about this installation',
  access: 'public',
  response: z.object({
    market: countryCode.nullable(),
    site: z
      .object({ name: z.string(), supportEmail: z.string(), legalPerson: z.string(), address: z.string() })
      .meta({ description: 'Whose site this is; the address is a postal one' }),
    payments: z.object({ mode: z.enum(['sandbox', 'stripe']), publishableKey: z.string(), apiBase: z.string() }),
    sandbox: z.boolean(),
    map: z
      .object({ tilesUrl: z.string(), attribution: z.string() })
      .nullable()
      .meta({ description: 'Street tiles for maps, and the HTML that says whose they are; null if maps show our own coast' }),
    signInWith: z.array(provider).meta({ description: 'The providers that can sign people in, besides a password or passkey' }),
    messages: z.object({
      relayed: z.boolean().meta({ description: 'Whether email replies go through us, so that businesses never see a customer’s address' }),
    }),
  }),
  errors: [],
} as const satisfies Call;

const getSlug = (known: readonly { slug: string }[]) =>
  z
    .string({ error: 'Give this parameter once, as text' })
    .refine((slug) => known.some((one) => one.slug === slug), 'There is no such name here');

const averageRating = z.number().meta({ description: 'The mean of all ratings to a tenth, as it is shown; 0 if there are none' });

const categoryFacts = z.object({
  name: z.string(),
  slug: z.string(),
  listings: z.int(),
  averageRating,
  reviewCount: z.int(),
});

/** At most a minute old. */
export const getFactsCall = {
  method: 'GET',
  url: '/facts',
  summary: 'Get the facts for the landing page and the page for pros',
  details: 'Counts, averages and last month’s messages.',
  access: 'public',
  query: z.strictObject({
    country: countryCode.optional(),
    category: getSlug(categories)
      .optional()
      .meta({ description: 'Slug of a group, so that the regions count only its listings', example: 'plumbing' }),
    region: getSlug(regions)
      .optional()
      .meta({ description: 'Slug of a region, so that the categories count only its listings', example: 'otago' }),
  }),
  response: z.object({
    listings: z.int(),
    reviews: z.int(),
    averageRating,
    leadsLastMonth: z.int(),
    categories: z.array(categoryFacts),
    regions: z.array(z.object({ name: z.string(), slug: z.string(), country: countryCode, listings: z.int() })),
  }),
  errors: [],
} as const satisfies Call;
export type Facts = z.infer<typeof getFactsCall.response>;

export const getTrustMetricsCall = {
  method: 'GET',
  url: '/trust',
  summary: 'Get what was checked, reported, decided and reviewed in the last full month',
  details: 'Months of New Zealand. Counted from the records themselves, at most ten minutes ago.',
  access: 'public',
  response: z.object({
    month: z.string().meta({ example: '2026-10' }),
    checks: z.object({
      verified: z.int().meta({ description: 'Listings whose business a public register has confirmed, now' }),
      asked: z.int().meta({ description: 'Answers of registers in the month, as far as no later one has replaced them' }),
      refused: z.int().meta({ description: 'Of these, those that did not confirm the business' }),
    }),
    reports: z.object({
      received: z.int(),
      decided: z.int().meta({ description: 'Of these, those that have been decided since' }),
      inTime: z.int().meta({ description: `Of these, those that were decided within ${complaintDays.decide} working days` }),
      overdue: z.int().meta({ description: 'Reports of any month that have waited for longer, now' }),
    }),
    decisions: z.object({ hiddenListings: z.int(), removedReviews: z.int(), warnings: z.int(), suspensions: z.int(), dismissed: z.int() }),
    objections: z.object({ received: z.int(), upheld: z.int() }),
    reviews: z.object({ written: z.int(), removed: z.int(), invited: z.int() }),
    unanswered: z.object({
      reminders: z.int().meta({ description: 'Reminders to businesses that had not answered' }),
      passedOn: z.int().meta({ description: 'Messages that customers sent on to other businesses' }),
    }),
  }),
  errors: [],
} as const satisfies Call;
export type TrustMetrics = z.infer<typeof getTrustMetricsCall.response>;
