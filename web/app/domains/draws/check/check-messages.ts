import type { Step, Verdict } from '@handwise/proof/verify';
import type { Share, Wall } from '../draw-wall.ts';

/** `edition`: the version of a draw's files, which are fetched once per version. */
export type Files = { period: string; edition: string };

export type OwnEntry = { id: string; tickets: number; proof: { index: number; size: number; path: string[] } };

/** Files from the reader: an email about a ticket, and the proof file from before the round. */
type ReaderFiles = { mail: string | null; commitment: string | null };

/** Steps arrive one by one, the summary with the last. */
export type CheckResult = { steps: Step[]; end: (Pick<Verdict, 'isValid' | 'isDrawn'> & { ms: number }) | null };
export type DrawShares = { wall: Wall; shares: Share[] };

/** Requests to the worker and their results. */
export type Operations = {
  picture: { input: Files; output: DrawShares };
  check: { input: Files & ReaderFiles; output: CheckResult };
  /** For an open month: whether its log is consistent, and an email's head a prefix of it. */
  openLog: { input: Files & { mail: string | null }; output: CheckResult };
  /** Which of these entries are in the seal, each by its path. */
  own: { input: { entries: OwnEntry[]; root: string }; output: boolean[] };
};
export type Operation = keyof Operations;

export type WorkerRequest = { [Name in Operation]: { id: number; operation: Name; input: Operations[Name]['input'] } }[Operation];
export type WorkerResponse = { id: number; partial: unknown } | { id: number; output: unknown } | { id: number; failed: string };
