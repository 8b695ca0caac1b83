import type { RegisterContext, RegisterHooks } from './registers.context.ts';
import { checkLicence, checkLicenceJob, startDueLicenceChecks } from './registers.licence-checks.ts';
import { checkRegister, startDueChecks, checkNumberJob } from './registers.service.ts';

export function registerJobs(context: RegisterContext, hooks: RegisterHooks): void {
  context.jobs.handle(checkNumberJob, ({ listingId }) => checkRegister({ context, hooks }, listingId));
  context.jobs.every('registers.check-due-numbers', '23 * * * *', () => startDueChecks(context));
  context.jobs.handle(checkLicenceJob, ({ listingId }) => checkLicence({ context, hooks }, listingId));
  context.jobs.every('registers.check-due-licences', '41 * * * *', () => startDueLicenceChecks(context));
}
