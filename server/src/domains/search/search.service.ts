export { learnSentences } from './classifier/search.classifier.ts';
export type { Search, SearchFilter } from './index/search.index.ts';
export { addToVocabulary } from './index/search.vocabulary.ts';
export { placesOfCategory, placesOfSearch } from './places/search.places.ts';
export { openIndex, openSearch, type SearchParts } from './search.pages.ts';
export { wordsOf } from './index/search.terms.ts';
export { meanOfCategory } from './search.jobs.queries.ts';
export { findForEverybody, readSearch } from './understanding/search.find.ts';
export { carried, labelOf, queryOf } from './understanding/search.views.ts';
