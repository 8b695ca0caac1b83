import type { Reader } from '../../kit/database/database.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { listOwn, listOwnFinds } from './alerts.queries.ts';

export { noteNew } from './alerts.jobs.queries.ts';
export { deleteAllAlerts } from './alerts.queries.ts';

/** The searches that somebody keeps, and what they found. */
export const ownDataOf = (db: Reader, userId: string): OwnData => ({
  lists: { alerts: () => listOwn(db, userId), 'alert-finds': () => listOwnFinds(db, userId) },
  pictures: [],
});
