import { deleteOldContactMessages } from './site.contact.ts';
import { buildSiteDocuments, type DocumentContext } from './site.documents.ts';

export function siteJobs(context: DocumentContext) {
  context.jobs.every('site.build-documents', '*/10 * * * *', () => buildSiteDocuments(context));
  context.jobs.every('site.delete-old-messages', '37 3 * * *', async () => {
    await deleteOldContactMessages(context);
  });
}
