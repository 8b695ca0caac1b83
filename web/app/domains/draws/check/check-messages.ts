import type { Step, Verdict } from '@handwise/proof/verify';
import type { Share, Wall } from '../draw-wall.ts';

/** `edition`: what a draw’s files depend on, so that they are fetched once for each. */
export type Files = { period: string; edition: string };

export type OwnEntry = { id: string; tickets: number; proof: { index: number; size: number; path: string[] } };

/** What a reader brings along: a mail about a ticket, and the proof file as it was before the round was out. */
type Kept = { mail: string | null; commitment: string | null };

/** Steps come one by one, the end with the last. */
export type CheckResult = { steps: Step[]; end: (Pick<Verdict, 'holds' | 'isOver'> & { ms: number }) | null };
export type Picture = { wall: Wall; shares: Share[] };

/** What the page asks of its worker, and what it gets. */
export type Questions = {
  picture: { asks: Files; gets: Picture };
  check: { asks: Files & Kept; gets: CheckResult };
  /** Of a month that is still open: whether its log is in order, and a mail’s head a beginning of it. */
  openLog: { asks: Files & { mail: string | null }; gets: CheckResult };
  /** Which of these entries the seal holds, each by its path. */
  own: { asks: { entries: OwnEntry[]; root: string }; gets: boolean[] };
};
export type Question = keyof Questions;

export type ToWorker = { [What in Question]: { id: number; what: What; asks: Questions[What]['asks'] } }[Question];
export type FromWorker = { id: number; sofar: unknown } | { id: number; gets: unknown } | { id: number; failed: string };
