export { noteNew } from './alerts/search.alerts.matching.queries.ts';
export { ownDataOf } from './alerts/search.alerts.own-data.ts';
export { deleteAllAlerts } from './alerts/search.alerts.queries.ts';
export { findForEverybody } from './understanding/search.everybody.ts';
export { SearchMemory } from './search.memory.ts';
export { placesOfCategory } from './near/search.place-totals.ts';
export { placesOfSearch } from './near/search.places.ts';
export { SearchPostings } from './postings/search.postings.ts';
