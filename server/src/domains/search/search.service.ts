export { findForEverybody } from './search.everybody.ts';
export { SearchMemory } from './search.memory.ts';
export { placesOfCategory } from './search.place-totals.ts';
export { placesOfSearch } from './search.places.ts';
