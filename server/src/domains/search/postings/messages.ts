import type { Answer, AskedSearch } from './query.ts';

/** `generation` counts how often everything had to be read: what is told of an earlier one says nothing. */
export type ToThread =
  | { kind: 'all'; generation: number }
  | { kind: 'changed'; ids: readonly string[] }
  | { kind: 'words'; words: readonly string[] | 'many' }
  | { kind: 'find'; id: number; search: AskedSearch };

/** `stale`: what is in memory may not be true any more, and everything must be read again. */
export type FromThread =
  | { kind: 'ready'; generation: number; milliseconds: number }
  | { kind: 'found'; id: number; page: Answer | null }
  | { kind: 'failed'; message: string; stale: boolean };
