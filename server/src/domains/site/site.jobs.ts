import type { Context } from '../../kit/context.ts';
import { deleteOldContactMessages } from './site.contact.ts';

export function siteJobs(context: Context) {
  context.jobs.every('site.delete-old-messages', '37 3 * * *', async () => {
    await deleteOldContactMessages(context);
  });
}
