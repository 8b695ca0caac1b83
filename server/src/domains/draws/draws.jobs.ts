import type { DrawContext } from './draws.context.ts';
import * as draws from './draws.service.ts';

/** Each job looks for what is due by the clock, so the next run catches up on a missed one. */
export function drawJobs(context: DrawContext) {
  const { jobs } = context;
  jobs.handle(draws.completeDrawsJob, () => draws.completeDueDraws(context));
  jobs.handle(draws.pushResultJob, ({ drawId }) => draws.pushResult(context, drawId));
  jobs.every('draws.close-due-draws', '* * * * *', () => draws.closeDueDraws(context));
  jobs.every('draws.complete-due-draws', '* * * * *', () => draws.completeDueDraws(context));
  jobs.every('draws.remind-winners', '*/10 * * * *', () => draws.followUpWinners(context));
  jobs.every('draws.erase-claims', '37 * * * *', () => draws.erasePaidClaims(context));
  jobs.every('draws.reencrypt-claims', '41 * * * *', () => draws.reencryptClaims(context));
}
