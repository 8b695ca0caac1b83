import { z } from 'zod';
import type { Call } from '../call.ts';

/** LCP and INP are in ms, CLS is a score. */
const names = ['LCP', 'INP', 'CLS'] as const;
export type VitalName = (typeof names)[number];

export const recordVitalsCall = {
  method: 'POST',
  url: '/vitals',
  summary: 'Record how quickly a page appeared and responded',
  details:
    'Sent by a tenth of the page views, without anything about the visitor. See https://web.dev/articles/vitals for what the values mean.',
  access: 'public',
  body: z.strictObject({
    path: z
      .string()
      .max(500)
      .regex(/^\/[!-~]*$/, 'Give a path as browsers write it')
      .meta({ description: 'The page’s path, of which only the kind of page is counted', example: '/search' }),
    width: z.int().min(0).meta({ description: 'Of the window in CSS pixels; below 600 it is counted as a phone', example: 390 }),
    vitals: z
      .array(z.strictObject({ name: z.enum(names), value: z.number().min(0) }))
      .min(1)
      .max(names.length),
  }),
  response: z.object({ received: z.literal(true) }),
  errors: [],
} as const satisfies Call;
