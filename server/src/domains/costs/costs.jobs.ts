import type { Context } from '../../kit/context.ts';
import { computeCosts } from './costs.service.ts';

export function costJobs(context: Context): void {
  // In UTC; night in both countries.
  context.jobs.every('costs.compute-prices', '11 15 * * *', () => computeCosts(context));
}
