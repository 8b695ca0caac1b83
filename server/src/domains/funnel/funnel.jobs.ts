import type { Context } from '../../kit/context.ts';
import { computeFunnel } from './funnel.service.ts';

export function funnelJobs(context: Context): void {
  // In UTC; night in both countries.
  context.jobs.every('funnel.compute-cells', '31 15 * * *', () => computeFunnel(context));
}
