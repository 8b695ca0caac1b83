import type { Order } from '../search.rules.ts';
import type { Meaning } from '../words/search.words.rules.ts';

/** A searched word: the forms that it stands for or how they begin, and the facets of the categories that have it in their names. */
export type KnownWord = { forms: readonly string[]; begins?: string; facets: readonly number[] };
/** The same as it is typed: what it stands for is for the vocabulary to say. */
type TypedWord = { typed: string; facets: readonly number[] };

/** What is asked of listings: planes of `Segment.evidence`, and the limit of the price in cents where a plane does not say who is within it. */
export type AskedEvidence = { rating: number; flags: readonly number[]; price: number | null; cut: number | null };

/** Where those who count are based, in rings from the nearest on: how far they must come (0: their base alone is enough), or which districts they name. */
export type AskedRings = {
  /** The same for the same cells, how far they must come and their rings; null where nobody asks for them again. */
  key: string | null;
  cells: Int32Array;
  least: Uint16Array;
  rings: Uint16Array;
  /** Facets of districts: who names one of them counts wherever they are based. */
  serves: readonly number[];
};

/** A search as the postings answer it. Facets are numbers of keys.ts. */
export type AskedSearch = {
  words: readonly (KnownWord | TypedWord)[];
  /** Each list: one of these facets is needed. */
  facets: readonly (readonly number[])[];
  cell: number | null;
  evidence: AskedEvidence;
  rings: AskedRings | null;
  order: Order;
  /** In the order "recommended", between paid rank and number: by the worst of the fields that have the words. */
  byWorth: boolean;
  skip: number;
  take: number;
  /** Up to so many matches it is counted what each choice of the filters would leave. */
  choicesUpTo: number;
};

export type KnownSearch = Omit<AskedSearch, 'words'> & { words: readonly KnownWord[] };

/** How many each choice of the filters would leave: by rating, by flag, and up to each limit of the price. */
export type ChoiceCounts = { rating: number[]; flags: number[]; price: number[] };

/** The numbers of one page's listings; the first `paid` of them stand in paid places. */
export type FoundPage = { total: number; numbers: number[]; paid: number; choices: ChoiceCounts | null };

/** The same with the forms that each word stands for; null of one that stands for nothing, or of which nobody can say it. Then nothing was looked for. */
export type Answer = FoundPage & { forms: readonly (readonly string[] | null)[] };

/** The same with what the words of the search stand for; null where one stands for nothing. */
export type ReadPage = FoundPage & { meanings: readonly Meaning[] | null };
