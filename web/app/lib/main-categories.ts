import type { MainCategory, mainCategoryNames } from '@handwise/contract/listings/categories';

// The contract has these behind its schemas, which the header and the directory do not load.
export const mainNames: typeof mainCategoryNames = { domestic: 'Domestic', trade: 'Trade', other: 'Other' };
export const mainOrder: readonly MainCategory[] = ['domestic', 'trade', 'other'];
