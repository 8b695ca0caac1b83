import type { Context } from '../../kit/context.ts';
import { applyImport, deleteOldDryRuns, executeImportJob } from './invitations.import.ts';
import { expireInvitations, remindOfInvitations } from './invitations.service.ts';

export function invitationJobs(context: Context) {
  const { jobs } = context;
  jobs.handle(executeImportJob, ({ importId }) => applyImport(context, importId));
  jobs.every('invitations.send-reminders', '*/10 * * * *', () => remindOfInvitations(context));
  jobs.every('invitations.expire-drafts', '41 * * * *', async () => {
    await expireInvitations(context);
    await deleteOldDryRuns(context);
  });
}
