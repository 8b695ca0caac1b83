import type { Context } from '../../kit/context.ts';
import { logHead } from './admin.audit.ts';

export function adminJobs(context: Context) {
  context.jobs.every('admin.log-audit-head', '3 0 * * *', () => logHead(context));
}
