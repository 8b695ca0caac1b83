export { noteNew } from './alerts.matching.queries.ts';
export { ownDataOf } from './alerts.own-data.ts';
export { deleteAllAlerts } from './alerts.queries.ts';
