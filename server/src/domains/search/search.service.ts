export { trainClassifier } from './classifier/search.classifier.ts';
export type { Search, SearchFilter } from './index/search.index.ts';
export { addToVocabulary } from './index/search.vocabulary.ts';
export { listCategoryPlaces, countSearchPlaces } from './places/search.places.ts';
export { createSearchIndex, createSearch, type SearchParts } from './search.pages.ts';
export { tokenize } from './index/search.terms.ts';
export { selectCategoryMean } from './search.jobs.queries.ts';
export { searchByText, readSearch } from './understanding/search.find.ts';
export { preservedParams, describeSearch, toQueryString } from './understanding/search.views.ts';
