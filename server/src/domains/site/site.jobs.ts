import { deleteOldContactMessages } from './site.contact.ts';
import type { DocumentContext, SettingsContext } from './site.context.ts';
import { buildSiteDocuments } from './site.documents.ts';
import { loadSettings, rebuildDocumentsJob } from './site.settings.ts';

export function siteJobs(context: DocumentContext & SettingsContext) {
  const build = async () => {
    // This process may not have heard of the last change yet.
    await loadSettings(context);
    await buildSiteDocuments(context);
  };
  context.jobs.every('site.build-documents', '*/10 * * * *', build);
  context.jobs.handle(rebuildDocumentsJob, build);
  context.jobs.every('site.delete-old-messages', '37 3 * * *', async () => {
    await deleteOldContactMessages(context);
  });
}
