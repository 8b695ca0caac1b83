import type { FindPage } from '@handwise/contract/search/calls';
import type { FindParams } from './find-params.ts';

export const nothingUnderstood: FindPage['understood'] = {
  category: null,
  subCategory: null,
  place: null,
  area: null,
  placeCountries: [],
  near: null,
  words: '',
  wishes: [],
  nobody: null,
  corrected: null,
  widened: [],
  nearMe: false,
  guess: null,
};

/** What a page can show of a search that was not answered: its parameters. */
export const createUnansweredData = (params: FindParams) => ({
  params,
  understood: nothingUnderstood,
  total: null,
  isExact: false,
  facets: null,
});
