import type { DrawContext } from './draws.context.ts';
import * as draws from './draws.service.ts';

/** What a draw does by itself. Each step finds by the clock what is due, so one that was missed is done at the next turn. */
export function drawJobs(context: DrawContext) {
  const { jobs } = context;
  jobs.handle(draws.findRound, () => draws.completeDueDraws(context));
  jobs.every('draws.close', '* * * * *', () => draws.closeDueDraws(context));
  jobs.every('draws.complete', '* * * * *', () => draws.completeDueDraws(context));
  jobs.every('draws.follow-up', '*/10 * * * *', () => draws.followUpWinners(context));
  jobs.every('draws.erase-claims', '37 * * * *', () => draws.erasePaidClaims(context));
  jobs.every('draws.renew-seals', '41 * * * *', () => draws.renewSeals(context));
}
