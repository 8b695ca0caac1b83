import type { FindName, FindParams } from './find-params.ts';

/** Thrown for an address that names something unknown: which part. `onlyIn` is the country of the host if the address names a place in another. */
export type NoSearch = { params: FindParams; wrong: readonly FindName[]; onlyIn: string | null };

export const isNoSearch = (data: unknown): data is NoSearch =>
  typeof data === 'object' && data !== null && 'params' in data && 'wrong' in data;
