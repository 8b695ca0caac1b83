import type { Category, SubCategory } from '@handwise/contract/listings/categories';
import type { CountryCode } from '@handwise/contract/markets';
import { isFillerWord, findTrade, type Trade, type TradeWord } from '@handwise/contract/search/trades';
import { splitWords } from '@handwise/contract/text';
import type { Place } from '../../places/places.service.ts';
import { isCommonWord, isLeastWord } from '../common-words.ts';
import { findNearestTradeWord } from './search.spelling.ts';

/** The words of a text that name a trade, as `TradeWord` has it. */
type NamedWork = { words: string; kind: TradeWord['kind'] };

/** One interpretation of a text: the work, the place, and the words that are left. */
export type Reading = {
  category: Category | null;
  subCategories: readonly SubCategory[];
  /** Null if the category was guessed, or if there is none. */
  work: NamedWork | null;
  place: Place | null;
  words: string;
};

export type Guess = Pick<Reading, 'category' | 'subCategories'> & { probability: number };

export type Understood = {
  /** Most likely first. The last is the words as typed, unless there are none. */
  readings: readonly Reading[];
  /** Other places of the same name. */
  namesakes: readonly Place[];
  /** The countries that have a place of the name. */
  countries: readonly CountryCode[];
  /** The text with typing errors corrected; null if it has none. */
  corrected: string | null;
  /** The corrected words of a trade without a place, as they were typed. If a listing has them, they are not errors. */
  mistyped: readonly string[];
  /** The text without the place, which may be the name of a business. */
  placeless: string;
  /** Whether the text says "near me". */
  nearMe: boolean;
  /** Categories guessed from a sentence, most likely first. */
  guesses: readonly Guess[];
};

export type Lookups = {
  listPlacesByName: (text: string) => readonly Place[];
  /** Whether the place is so small that its name is as likely a person's. */
  isSmall: (place: Place) => boolean;
  classify: (words: string) => readonly Guess[];
};

/** Filters besides the text, which limit its interpretations. */
export type Constraints = {
  /** Whether a place is within the chosen one; undefined if none is chosen. */
  isPlaceAllowed?: ((place: Place) => boolean) | undefined;
  /** Whether a trade is in the chosen category; undefined if none is chosen. Other trades are searched as words. */
  isTradeAllowed?: ((trade: Trade) => boolean) | undefined;
};

type Token = { typed: string; word: string };
type Span = { from: number; to: number; score: number; corrected: string | null };
type TradeSpan = Span & { meant: TradeWord };
type PlaceSpan = Span & { places: readonly Place[]; isCertain: boolean; hasPreposition: boolean };

const maxTokens = 24;
const maxTradeWords = 4;
const maxPlaceWords = 5;
// In longer texts places are looked up only at both ends and after a preposition, because each look-up costs time.
const maxScannedTokens = 7;

// People say most about what is wanted, a part of a trade less than the trade.
const kindScores = { who: 5, what: 0, narrower: -1, apart: -1 } as const;

const minConfidence = 0.6;
// Beside a place the words are more likely a need than a name.
const minConfidenceAtPlace = 0.35;
const locations = new Set(['in', 'on', 'at', 'from', 'under', 'inside', 'behind', 'through']);
const articles = new Set(['the', 'a', 'an', 'my', 'our']);
/** Whether the words before say that this is where something is: "ants in the kitchen". */
const isWhereItIs = (words: readonly string[], at: number) =>
  locations.has(words[articles.has(words[at - 1] ?? '') ? at - 2 : at - 1] ?? '');
const prepositions = new Set(['in', 'near', 'at', 'around', 'from', 'for', 'to']);
// Words that mark a sentence about a problem, as opposed to keywords.
const sentenceWords = new Set(
  'my our i im ive we weve is isnt are was has have had keeps kept wont cant doesnt dont needs need want fell broke broken stopped someone somebody how why when does will there it its'.split(
    ' ',
  ),
);
// Words that business names end with.
const businessNameWords = new Set('co ltd limited pty bros brothers sons son group inc'.split(' '));
const nearMePhrases = [
  'near me',
  'nearme',
  'near by',
  'nearby',
  'close to me',
  'close by',
  'around me',
  'around here',
  'in my area',
  'my area',
  'near here',
].map((text) => text.split(' '));

/** The words of a text, as typed and normalised. */
function parseTokens(text: string): Token[] {
  return text
    .split(/[^\p{L}\p{N}\p{M}'’]+/u)
    .flatMap((typed) => {
      const words = splitWords(typed);
      return words.length === 1 && words[0] ? [{ typed, word: words[0] }] : words.map((word) => ({ typed: word, word }));
    })
    .slice(0, maxTokens);
}

const joinTyped = (tokens: readonly Token[]) => tokens.map(({ typed }) => typed).join(' ');
const listWords = (tokens: readonly Token[]) => tokens.map(({ word }) => word);
const isInSpan = (index: number, span: Span | null) => span !== null && index >= span.from && index < span.to;
const areDisjoint = (a: Span | null, b: Span | null) => !a || !b || a.to <= b.from || b.to <= a.from;

/** Up to three other places of the first one's name, one per region, those of its country first. */
export function listNamesakes([named, ...others]: readonly Place[]): Place[] {
  const byRegion = new Map(others.toReversed().map((one) => [one.regionCode, one]));
  const far = others.filter((one) => one.regionCode !== named?.regionCode && byRegion.get(one.regionCode) === one);
  return far.toSorted((a, b) => Number(b.country === named?.country) - Number(a.country === named?.country)).slice(0, 3);
}

export const listCountries = (places: readonly Place[]): CountryCode[] => [...new Set(places.map(({ country }) => country))];

/** Interprets a text as trades, places and words. */
export function understand(text: string, lookups: Lookups, constraints: Constraints = {}): Understood {
  const { tokens, nearMe } = removeNearMe(parseTokens(text));
  const raw: Reading = { category: null, subCategories: [], work: null, place: null, words: joinTyped(tokens) };
  const plain: Understood = {
    readings: [raw],
    namesakes: [],
    corrected: null,
    mistyped: [],
    placeless: raw.words,
    nearMe,
    guesses: [],
    countries: [],
  };
  if (tokens.length === 0) return nearMe ? plain : { ...plain, readings: [] };
  const isSentence = tokens.length >= 4 && tokens.some(({ word }) => sentenceWords.has(word));
  const trades = listTradeSpans(tokens).filter(({ meant }) => !constraints.isTradeAllowed || constraints.isTradeAllowed(meant.trade));
  const places = listPlaceSpans(tokens, trades, lookups, constraints, isSentence);
  const { trade, place } = preferPeople(pickBest(trades, places), trades);
  if (!trade && !place) return { ...plain, ...readUnnamed(tokens, raw, lookups, isSentence) };
  const placeless = joinTyped(tokens.filter((_, index) => !isInSpan(index, place)));
  const named = {
    ...plain,
    placeless,
    namesakes: listNamesakes(place?.places ?? []),
    countries: listCountries(place?.places ?? []),
    corrected: correctText(tokens, trade, place),
  };
  const guesses = trade?.meant.kind === 'who' ? [] : listGuesses(tokens, trades, place, lookups, isSentence);
  if (guesses[0] && isSentence) return { ...named, guesses, readings: [toReading(guesses[0], place), raw] };
  const rest = listRemaining(tokens, trades, trade, place);
  const read = createReading(tokens, isSentence ? [] : rest, trade, place);
  if (guesses[0] && !trade) return { ...named, guesses, readings: [read, toReading(guesses[0], place)] };
  return {
    ...named,
    mistyped: trade?.corrected && !place ? listWords(tokens.slice(trade.from, trade.to)) : [],
    readings: isBusinessName(rest, trade, place, lookups) ? [raw, read] : [read, raw],
  };
}

const toReading = ({ category, subCategories }: Guess, span: PlaceSpan | null): Reading => ({
  category,
  subCategories,
  work: null,
  place: span?.places[0] ?? null,
  words: '',
});

/** A text without trade or place: its words, a guessed category, or every listing if it has filler words only. */
function readUnnamed(
  tokens: readonly Token[],
  raw: Reading,
  lookups: Lookups,
  isSentence: boolean,
): Pick<Understood, 'readings' | 'guesses'> {
  if (tokens.every(({ word }) => isFillerWord(word) || isLeastWord(word))) return { readings: [raw, { ...raw, words: '' }], guesses: [] };
  const meaning = joinTyped(tokens.filter(({ word }) => !isLeastWord(word)));
  const asWords = meaning === '' || meaning === raw.words ? [raw] : [raw, { ...raw, words: meaning }];
  const guesses = tokens.length > 1 ? lookups.classify(raw.words) : [];
  const [likeliest] = guesses;
  if (likeliest && isSentence) return { readings: [toReading(likeliest, null), raw], guesses };
  // A name can resemble a trade, so a guess needs more confidence if the text is not a sentence.
  if (!likeliest || likeliest.probability < minConfidence) return { readings: asWords, guesses: [] };
  return { readings: [...asWords, toReading(likeliest, null)], guesses };
}

function removeNearMe(tokens: readonly Token[]): { tokens: readonly Token[]; nearMe: boolean } {
  for (const phrase of nearMePhrases) {
    for (let at = 0; at + phrase.length <= tokens.length; at += 1) {
      if (phrase.every((word, index) => tokens[at + index]?.word === word)) {
        return { tokens: [...tokens.slice(0, at), ...tokens.slice(at + phrase.length)], nearMe: true };
      }
    }
  }
  return { tokens, nearMe: false };
}

function* listSpans(length: number, maxLength: number): Generator<[from: number, to: number]> {
  for (let from = 0; from < length; from += 1) for (let to = from + 1; to <= Math.min(length, from + maxLength); to += 1) yield [from, to];
}

/** All trades in the text, as spelt and with typing errors corrected. */
function listTradeSpans(tokens: readonly Token[]): TradeSpan[] {
  const words = listWords(tokens);
  const found: TradeSpan[] = [];
  const isPart = words.map(() => false);
  for (const [from, to] of listSpans(words.length, maxTradeWords)) {
    const meant = findTrade(words.slice(from, to));
    if (!meant) continue;
    // Of equals the later one: the last word of a compound says what it is.
    found.push({
      from,
      to,
      meant,
      corrected: null,
      score:
        10 * (to - from) +
        kindScores[meant.kind] +
        to / 100 -
        (isWhereItIs(words, from) ? 4 : 0) -
        (words.slice(from, to).every(isFillerWord) ? 3 : 0),
    });
    isPart.fill(true, from, to);
  }
  const corrected = words.map((word, index) => (isPart[index] || isFillerWord(word) ? word : (findNearestTradeWord(word) ?? word)));
  for (const [from, to] of listSpans(words.length, maxTradeWords)) {
    const candidate = corrected.slice(from, to);
    if (candidate.every((word, index) => word === words[from + index])) continue;
    const meant = findTrade(candidate);
    if (meant) found.push({ from, to, meant, corrected: candidate.join(' '), score: 6 * (to - from) });
  }
  return found;
}

/** All places in the text; in a sentence only after a preposition, because other words may be names of places too. */
function listPlaceSpans(
  tokens: readonly Token[],
  trades: readonly TradeSpan[],
  lookups: Lookups,
  constraints: Constraints,
  isSentence: boolean,
): PlaceSpan[] {
  const words = listWords(tokens);
  const found: PlaceSpan[] = [];
  for (const [from, to] of listSpans(words.length, maxPlaceWords)) {
    const named = words.slice(from, to);
    const hasPreposition = prepositions.has(words[from - 1] ?? '');
    if (isSentence && !hasPreposition && to < words.length && from > 0) continue;
    if (words.length > maxScannedTokens && !hasPreposition && from > 0 && to < words.length) continue;
    if (isFillerWord(named[0] ?? '') && isFillerWord(named.at(-1) ?? '')) continue;
    if (named.every(isLeastWord)) continue;
    if (prepositions.has(named[0] ?? '') || prepositions.has(named.at(-1) ?? '')) continue;
    if (trades.some((trade) => trade.corrected === null && trade.from <= from && trade.to >= to)) continue;
    const places = lookups
      .listPlacesByName(joinTyped(tokens.slice(from, to)))
      .filter((place) => !constraints.isPlaceAllowed || constraints.isPlaceAllowed(place));
    const [place] = places;
    if (!place || (place.corrected && isNoTypo(named, hasPreposition))) continue;
    // "Murray" is the start of a district's name and a surname: it is a place only after a preposition.
    const isWholeName = isPostcode(named) || splitWords(place.name).length <= named.length;
    const isCertain = isWholeName && !place.corrected;
    // At either end of a sentence other words may be names of small places too.
    if (isSentence && !hasPreposition && (!isCertain || (to - from === 1 && lookups.isSmall(place)))) continue;
    if (!isCertain && !hasPreposition && trades.length === 0 && to - from < words.length) continue;
    const perWord = isCertain ? 9 : 5;
    found.push({
      from,
      to,
      places,
      isCertain,
      hasPreposition,
      corrected: place.corrected ? place.name : null,
      score: perWord * (to - from) + (hasPreposition ? 6 : 0) + (to === words.length ? 1 : 0),
    });
  }
  return found;
}

// Shorter words are one letter away from the name of some small place.
const minCorrectedLetters = 6;

/** Whether words that resemble the name of a place are more likely other words: ordinary English, or a short name. */
const isNoTypo = (words: readonly string[], hasPreposition: boolean) =>
  words.every((word) => isCommonWord(word) || isLeastWord(word)) || (!hasPreposition && words.join('').length < minCorrectedLetters);

const isPostcode = (words: readonly string[]) => words.length === 1 && /^\d{4}$/.test(words[0] ?? '');

/** The pair of trade and place with the highest score. */
function pickBest(trades: readonly TradeSpan[], places: readonly PlaceSpan[]): { trade: TradeSpan | null; place: PlaceSpan | null } {
  let best: { trade: TradeSpan | null; place: PlaceSpan | null } = { trade: null, place: null };
  let bestScore = 0;
  for (const trade of [null, ...trades]) {
    for (const place of [null, ...places]) {
      if (!areDisjoint(trade, place)) continue;
      const score = (trade?.score ?? 0) + (place?.score ?? 0);
      if (score > bestScore) [bestScore, best] = [score, { trade, place }];
    }
  }
  return best;
}

/** "Builder for granny flat" asks for a builder: people of the same category come before a part of their work. */
function preferPeople({ trade, place }: ReturnType<typeof pickBest>, trades: readonly TradeSpan[]): ReturnType<typeof pickBest> {
  if (!trade || !isPart(trade)) return { trade, place };
  const people = trades.find(
    (other) =>
      other.meant.kind === 'who' &&
      areDisjoint(other, trade) &&
      areDisjoint(other, place) &&
      other.meant.trade.category === trade.meant.trade.category,
  );
  return { trade: people ?? trade, place };
}

/** The words outside the trade and the place, without other names of the same trade and filler words. */
function listRemaining(tokens: readonly Token[], trades: readonly TradeSpan[], trade: TradeSpan | null, place: PlaceSpan | null): Token[] {
  const same = trades.filter(
    (other) => trade !== null && areDisjoint(other, place) && !isPart(other) && isSameTrade(other.meant.trade, trade.meant.trade),
  );
  return tokens.filter(
    ({ word }, index) => ![trade, place, ...same].some((span) => isInSpan(index, span)) && !isFillerWord(word) && !isLeastWord(word),
  );
}

const isPart = ({ meant: { kind } }: TradeSpan) => kind === 'narrower' || kind === 'apart';
const isSameTrade = (one: Trade, other: Trade) => one === other || (one.category !== null && one.category === other.category);

function createReading(tokens: readonly Token[], rest: readonly Token[], span: TradeSpan | null, at: PlaceSpan | null): Reading {
  const place = at?.places[0] ?? null;
  const words = joinTyped(rest);
  if (!span) return { category: null, subCategories: [], work: null, place, words };
  const { trade, kind } = span.meant;
  const work = { words: span.corrected ?? joinTyped(tokens.slice(span.from, span.to)), kind };
  // A trade apart may be listed anywhere in the group.
  return { category: trade.category, subCategories: kind === 'apart' && trade.category ? [] : trade.subCategories, work, place, words };
}

/** Whether the text is more likely the name of a business: it has a word such as "Ltd", or is no more than a small or mistyped place. */
function isBusinessName(rest: readonly Token[], trade: TradeSpan | null, span: PlaceSpan | null, lookups: Lookups): boolean {
  if (rest.some(({ word }) => businessNameWords.has(word))) return true;
  const [place] = span?.places ?? [];
  if (trade || !span || !place || span.hasPreposition) return false;
  return !span.isCertain || (span.from === 0 && span.to === 1 && place.kind === 'town' && lookups.isSmall(place));
}

/** The categories of a sentence, or of a text that names a place and no trade. */
function listGuesses(
  tokens: readonly Token[],
  trades: readonly TradeSpan[],
  place: PlaceSpan | null,
  lookups: Lookups,
  isSentence: boolean,
): Guess[] {
  const rest = tokens.filter((_, index) => !isInSpan(index, place));
  if (!isSentence) {
    if (trades.length > 0 || rest.filter(({ word }) => !isFillerWord(word)).length < 2) return [];
    const guesses = lookups.classify(joinTyped(rest));
    return (guesses[0]?.probability ?? 0) < (place ? minConfidenceAtPlace : minConfidence) ? [] : [...guesses];
  }
  const classified = lookups.classify(joinTyped(rest));
  if (classified.length > 0) return [...classified];
  // The classifier does not know: use the trades in the text, longest first.
  const named = trades
    .toSorted((a, b) => b.score - a.score)
    .map(({ meant }) => ({ category: meant.trade.category, subCategories: meant.trade.subCategories, probability: 1 }));
  return [...new Map(named.map((one) => [`${one.category?.code} ${one.subCategories[0]?.code}`, one])).values()].slice(0, 3);
}

function correctText(tokens: readonly Token[], trade: TradeSpan | null, place: PlaceSpan | null): string | null {
  if (!trade?.corrected && !place?.corrected) return null;
  const parts = tokens.flatMap(({ typed }, index) => {
    for (const span of [trade, place]) if (span?.corrected && isInSpan(index, span)) return index === span.from ? [span.corrected] : [];
    return [typed];
  });
  return parts.join(' ');
}
