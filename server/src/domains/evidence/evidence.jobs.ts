import type { EvidenceHooks } from './evidence.context.ts';
import type { EvidenceContext } from './evidence.context.ts';
import { checkLicence, checkLicenceJob, startDueLicenceChecks } from './evidence.licence-checks.ts';
import { checkRegister, startDueChecks, checkNumberJob } from './evidence.service.ts';

export function evidenceJobs(context: EvidenceContext, hooks: EvidenceHooks): void {
  context.jobs.handle(checkNumberJob, ({ listingId }) => checkRegister({ context, hooks }, listingId));
  context.jobs.every('evidence.check-due-numbers', '23 * * * *', () => startDueChecks(context));
  context.jobs.handle(checkLicenceJob, ({ listingId }) => checkLicence({ context, hooks }, listingId));
  context.jobs.every('evidence.check-due-licences', '41 * * * *', () => startDueLicenceChecks(context));
}
