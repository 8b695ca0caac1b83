import { z } from 'zod';
import type { Call } from '../call.ts';
import {
  type FunnelMetric,
  funnelMetrics,
  funnelTables,
  funnelWeeks,
  type LadderMetric,
  ladderMetrics,
  leastShown,
  unansweredDays,
} from './words.ts';

const keysOf = <Key extends string>(table: Record<Key, unknown>) => Object.keys(table) as [Key, ...Key[]];

const value = z
  .int()
  .nullable()
  .meta({ description: `Null is not shown: a number from 1 to ${leastShown - 1}, or one from which such a number could be worked out` });
const row = z.object({
  name: z.string().meta({ description: 'A Monday as 2026-11-23, a region, or a category' }),
  values: z.object(Object.fromEntries(keysOf(funnelMetrics).map((metric) => [metric, value])) as Record<FunnelMetric, typeof value>),
});
export type FunnelRow = z.infer<typeof row>;
const ladderRow = z.object({
  name: z.string().meta({ description: 'A region or a category' }),
  values: z.object(Object.fromEntries(keysOf(ladderMetrics).map((metric) => [metric, value])) as Record<LadderMetric, typeof value>),
});
export type LadderRow = z.infer<typeof ladderRow>;

export const getFunnelCall = {
  method: 'GET',
  url: '/admin/funnel',
  summary: `Get the funnel from visits to ended plans in the last ${funnelWeeks} weeks, by week, place and trade`,
  details: 'Weeks begin on Monday in New Zealand. Computed every night.',
  access: 'admin',
  response: z.object({
    computedAt: z.iso.datetime().nullable().meta({ description: 'Null before the first computation' }),
    week: z.array(row),
    place: z.array(row),
    trade: z.array(row),
    unanswered: z
      .array(z.object({ name: z.string().meta({ example: 'Taupō, Waikato' }), requests: value }))
      .meta({ description: `Conversations of the last ${unansweredDays} days that the business has not answered` }),
    ladder_place: z
      .array(ladderRow)
      .meta({ description: `What reminders and others changed in the last ${unansweredDays} days, by place` }),
    ladder_trade: z.array(ladderRow).meta({ description: 'The same by trade' }),
  }),
  errors: [],
} as const satisfies Call;
export type Funnel = z.infer<typeof getFunnelCall.response>;

export const getFunnelCsvCall = {
  method: 'GET',
  url: '/admin/funnel/:table/csv',
  summary: 'Get a table of the funnel as CSV',
  access: 'admin',
  params: z.object({ table: z.enum(keysOf(funnelTables), 'Use week, place, trade, unanswered, ladder_place or ladder_trade') }),
  response: z.string(),
  mediaType: 'text/csv',
  errors: [],
} as const satisfies Call;
