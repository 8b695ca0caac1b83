import type { Step, Verdict } from '@handwise/proof/verify';
import type { Share, Wall } from '../draw-wall.ts';

/** `edition`: the version of a draw's files, which are fetched once per version. */
export type Files = { period: string; edition: string };

export type OwnEntry = { id: string; tickets: number; proof: { index: number; size: number; path: string[] } };

/** Files from the reader: an email about a ticket, and the proof file from before the round. */
type Kept = { mail: string | null; commitment: string | null };

/** Steps arrive one by one, the summary with the last. */
export type CheckResult = { steps: Step[]; end: (Pick<Verdict, 'holds' | 'isOver'> & { ms: number }) | null };
export type Picture = { wall: Wall; shares: Share[] };

/** Requests to the worker and their results. */
export type Questions = {
  picture: { asks: Files; gets: Picture };
  check: { asks: Files & Kept; gets: CheckResult };
  /** For an open month: whether its log is consistent, and an email's head a prefix of it. */
  openLog: { asks: Files & { mail: string | null }; gets: CheckResult };
  /** Which of these entries are in the seal, each by its path. */
  own: { asks: { entries: OwnEntry[]; root: string }; gets: boolean[] };
};
export type Question = keyof Questions;

export type ToWorker = { [What in Question]: { id: number; what: What; asks: Questions[What]['asks'] } }[Question];
export type FromWorker = { id: number; sofar: unknown } | { id: number; gets: unknown } | { id: number; failed: string };
