import { z } from 'zod';
import type { Call } from '../call.ts';
import { type WorkSource, workSources } from './work-sources.ts';

const source = z.enum(Object.keys(workSources) as [WorkSource, ...WorkSource[]]);

const task = z.object({
  source,
  title: z.string().meta({ example: 'Report: Drain repairs' }),
  path: z.string().meta({ description: 'The page where it is done', example: '/admin/reports' }),
  since: z.iso.datetime().meta({ description: 'Since when it has been waiting' }),
  dueAt: z.iso.datetime().nullable().meta({ description: 'By when it has to be done; null if nothing says so' }),
});
export type WorkTask = z.output<typeof task>;

/** The most tasks of one source in the list. */
export const maxTasksOfSource = 50;

export const listWorkCall = {
  method: 'GET',
  url: '/admin/work',
  summary: 'List what needs an administrator now',
  details: 'What is overdue or due within three days comes first, then the oldest.',
  access: 'admin',
  response: z.object({
    tasks: z.array(task),
    left: z
      .array(z.object({ source, number: z.int().positive() }))
      .meta({ description: `How many more there are of a source, of which only the ${maxTasksOfSource} oldest are listed` }),
    unread: z.array(source).meta({ description: 'Sources that could not be read: whether they hold work is unknown' }),
  }),
  errors: [],
} as const satisfies Call;
