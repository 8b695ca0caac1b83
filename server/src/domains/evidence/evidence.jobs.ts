import type { EvidenceAsks } from './evidence.asks.ts';
import { check, checkDue, checkNumber } from './evidence.checks.ts';
import type { EvidenceContext } from './evidence.context.ts';

export function evidenceJobs(context: EvidenceContext, asks: EvidenceAsks): void {
  context.jobs.handle(checkNumber, ({ listingId }) => check({ context, asks }, listingId));
  context.jobs.every('evidence.check-due', '23 * * * *', () => checkDue(context));
}
