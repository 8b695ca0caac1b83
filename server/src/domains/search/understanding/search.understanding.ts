import type { Category, SubCategory } from '@handwise/contract/listings/categories';
import { isFiller, tradeOf, type Trade, type TradeWord, wordsOfText, tradeWords } from '@handwise/contract/search/trades';
import type { Place } from '../../places/places.service.ts';
import { computeEditDistance } from '../../../kit/edit-distance.ts';

/** One way to read what somebody typed. `words` are searched besides category and place. */
export type Reading = {
  category: Category | null;
  subCategories: readonly SubCategory[];
  place: Place | null;
  words: string;
};

export type Guess = Pick<Reading, 'category' | 'subCategories'> & { probability: number };

export type Understood = {
  /** The likeliest first. The last is the words as they are typed, unless there are none. */
  readings: readonly Reading[];
  /** Other places of the name that was read. */
  namesakes: readonly Place[];
  /** The text with typing errors put right. */
  corrected: string | null;
  /** The words of a trade that were put right, as they were typed: where they are somebody's name, the text is meant as it is. */
  mistyped: readonly string[];
  /** Whether they ask for what is near them. */
  nearMe: boolean;
  /** What a sentence may be about, the likeliest first; empty where nothing was guessed. */
  guesses: readonly Guess[];
};

/** What the reading of a text asks others. */
export type Known = {
  listPlacesByName: (text: string) => readonly Place[];
  /** Whether so few live there that its name may as well be somebody's. */
  isSmall: (place: Place) => boolean;
  /** What a sentence is about. */
  classify: (words: string) => readonly Guess[];
};

/** What was chosen besides the text: it narrows what the text can mean. */
export type Given = {
  /** Whether a place is within the chosen one; undefined where none is chosen. */
  covers?: ((place: Place) => boolean) | undefined;
  /** Whether a trade is of the chosen category; undefined where none is chosen. What is of another is read as words. */
  fits?: ((trade: Trade) => boolean) | undefined;
};

type Token = { typed: string; word: string };
type Span = { from: number; to: number; score: number; corrected: string | null };
type TradeSpan = Span & { meant: TradeWord };
type PlaceSpan = Span & { places: readonly Place[]; certain: boolean; asked: boolean };

const maxTokens = 24;
const maxTradeWords = 4;
const maxPlaceWords = 5;
// Of a longer text a place is looked for at its ends and behind a preposition: names stand nowhere else, and each look-up costs.
const fewTokens = 7;

const clear = 0.6;
const before = new Set(['in', 'near', 'at', 'around', 'from', 'for', 'to']);
// Words of a sentence: whoever writes them tells what happened rather than whom they look for.
const telling = new Set(
  'my our i im ive we weve is isnt are was has have had keeps kept wont cant doesnt dont needs need want fell broke broken stopped someone somebody how why when does will there it its'.split(
    ' ',
  ),
);
// What a household adds to a trade, and few listings say.
const soft = new Set(
  'emergency 24 7 247 hour hours hr after same day night weekend commercial residential domestic experienced female lady insured friendly honest fast quick small big'.split(
    ' ',
  ),
);
// What businesses put behind their names.
const ofNames = new Set('co ltd limited pty bros brothers sons son group inc'.split(' '));
const nearMeTexts = [
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

/** The words of a text as they are typed and as they are compared. */
function tokensOf(text: string): Token[] {
  return text
    .split(/[^\p{L}\p{N}\p{M}'’]+/u)
    .flatMap((typed) => {
      const words = wordsOfText(typed);
      return words.length === 1 && words[0] ? [{ typed, word: words[0] }] : words.map((word) => ({ typed: word, word }));
    })
    .slice(0, maxTokens);
}

const typedText = (tokens: readonly Token[]) => tokens.map(({ typed }) => typed).join(' ');
const wordsOf = (tokens: readonly Token[]) => tokens.map(({ word }) => word);
const within = (index: number, span: Span | null) => span !== null && index >= span.from && index < span.to;
const apart = (a: Span | null, b: Span | null) => !a || !b || a.to <= b.from || b.to <= a.from;

/** Other places of the name of the first, one in a region, those of the other country first. */
export function namesakesOf([named, ...others]: readonly Place[]): Place[] {
  const byRegion = new Map(others.toReversed().map((one) => [one.regionCode, one]));
  const far = others.filter((one) => one.regionCode !== named?.regionCode && byRegion.get(one.regionCode) === one);
  return far.toSorted((a, b) => Number(a.country === named?.country) - Number(b.country === named?.country)).slice(0, 3);
}

/** What somebody looks for by a text, in every way that it can be meant. */
export function understand(text: string, known: Known, given: Given = {}): Understood {
  const { tokens, nearMe } = withoutNearMe(tokensOf(text));
  const raw: Reading = { category: null, subCategories: [], place: null, words: typedText(tokens) };
  const plain: Understood = { readings: [raw], namesakes: [], corrected: null, mistyped: [], nearMe, guesses: [] };
  if (tokens.length === 0) return nearMe ? plain : { ...plain, readings: [] };
  const tells = tokens.length >= 4 && tokens.some(({ word }) => telling.has(word));
  const trades = tradeSpans(tokens).filter(({ meant }) => !given.fits || given.fits(meant.trade));
  const places = placeSpans(tokens, trades, known, given, tells);
  const { trade, place } = bestOf(trades, places);
  if (!trade && !place) return { ...plain, ...readWithoutNames(tokens, raw, known, tells) };
  const named = { ...plain, namesakes: namesakesOf(place?.places ?? []), corrected: correctedText(tokens, trade, place) };
  const guesses = tells && trade?.meant.kind !== 'who' ? guessesOf(tokens, trades, place, known) : [];
  if (guesses[0]) return { ...named, guesses, readings: [readingOf(guesses[0], place), raw] };
  const left = leftOf(tokens, trades, trade, place);
  const read = readingsOf(tokens, tells ? [] : left, trade, place);
  return {
    ...named,
    mistyped: trade?.corrected ? wordsOf(tokens.slice(trade.from, trade.to)) : [],
    readings: isName(tokens, left, trade, place, known) ? [raw, ...read] : [...read, raw],
  };
}

const readingOf = ({ category, subCategories }: Guess, span: PlaceSpan | null): Reading => ({
  category,
  subCategories,
  place: span?.places[0] ?? null,
  words: '',
});

/** A text that names neither trade nor place: its words, what they may be about, and where they say nothing, all there is. */
function readWithoutNames(tokens: readonly Token[], raw: Reading, known: Known, tells: boolean): Pick<Understood, 'readings' | 'guesses'> {
  if (tokens.every(({ word }) => isFiller(word))) return { readings: [raw, { ...raw, words: '' }], guesses: [] };
  const guesses = tokens.length > 1 ? known.classify(raw.words) : [];
  const [likeliest] = guesses;
  if (likeliest && tells) return { readings: [readingOf(likeliest, null), raw], guesses };
  // A name looks like something too: what is no sentence must be clear.
  if (!likeliest || likeliest.probability < clear) return { readings: [raw], guesses: [] };
  return { readings: [raw, readingOf(likeliest, null)], guesses };
}

function withoutNearMe(tokens: readonly Token[]): { tokens: readonly Token[]; nearMe: boolean } {
  for (const asked of nearMeTexts) {
    for (let at = 0; at + asked.length <= tokens.length; at += 1) {
      if (asked.every((word, index) => tokens[at + index]?.word === word)) {
        return { tokens: [...tokens.slice(0, at), ...tokens.slice(at + asked.length)], nearMe: true };
      }
    }
  }
  return { tokens, nearMe: false };
}

function* spansOf(length: number, most: number): Generator<[from: number, to: number]> {
  for (let from = 0; from < length; from += 1) for (let to = from + 1; to <= Math.min(length, from + most); to += 1) yield [from, to];
}

/** Every trade that is named: with its words right, else with their typing errors put right. */
function tradeSpans(tokens: readonly Token[]): TradeSpan[] {
  const words = wordsOf(tokens);
  const found: TradeSpan[] = [];
  const isPart = words.map(() => false);
  for (const [from, to] of spansOf(words.length, maxTradeWords)) {
    const meant = tradeOf(words.slice(from, to));
    if (!meant) continue;
    found.push({ from, to, meant, corrected: null, score: 10 * (to - from) + (meant.kind === 'who' ? 5 : 0) });
    isPart.fill(true, from, to);
  }
  const right = words.map((word, index) => (isPart[index] || isFiller(word) ? word : (nearestTradeWord(word) ?? word)));
  for (const [from, to] of spansOf(words.length, maxTradeWords)) {
    const now = right.slice(from, to);
    if (now.every((word, index) => word === words[from + index])) continue;
    const meant = tradeOf(now);
    if (meant) found.push({ from, to, meant, corrected: now.join(' '), score: 6 * (to - from) });
  }
  return found;
}

/** Every place that is named. In a sentence only behind a preposition: "the back of the house" is nowhere. */
function placeSpans(tokens: readonly Token[], trades: readonly TradeSpan[], known: Known, given: Given, tells: boolean): PlaceSpan[] {
  const words = wordsOf(tokens);
  const found: PlaceSpan[] = [];
  for (const [from, to] of spansOf(words.length, maxPlaceWords)) {
    const named = words.slice(from, to);
    const asked = before.has(words[from - 1] ?? '');
    if (tells && !asked) continue;
    if (words.length > fewTokens && !asked && from > 0 && to < words.length) continue;
    if (isFiller(named[0] ?? '') && isFiller(named.at(-1) ?? '')) continue;
    if (before.has(named[0] ?? '') || before.has(named.at(-1) ?? '')) continue;
    if (trades.some((trade) => trade.corrected === null && trade.from <= from && trade.to >= to)) continue;
    const places = known.listPlacesByName(typedText(tokens.slice(from, to))).filter((place) => !given.covers || given.covers(place));
    const [place] = places;
    if (!place) continue;
    // "Murray" is the beginning of a district's name, and a family's: only a place that is asked for by "in".
    const whole = isPostcode(named) || wordsOfText(place.name).length <= named.length;
    const certain = whole && !place.corrected;
    if (!certain && !asked && trades.length === 0 && to - from < words.length) continue;
    const perWord = certain ? 9 : 5;
    found.push({
      from,
      to,
      places,
      certain,
      asked,
      corrected: place.corrected ? place.name : null,
      score: perWord * (to - from) + (asked ? 6 : 0) + (to === words.length ? 1 : 0),
    });
  }
  return found;
}

const isPostcode = (words: readonly string[]) => words.length === 1 && /^\d{4}$/.test(words[0] ?? '');

/** The trade and the place that together explain most of the text. */
function bestOf(trades: readonly TradeSpan[], places: readonly PlaceSpan[]): { trade: TradeSpan | null; place: PlaceSpan | null } {
  let best: { trade: TradeSpan | null; place: PlaceSpan | null } = { trade: null, place: null };
  let most = 0;
  for (const trade of [null, ...trades]) {
    for (const place of [null, ...places]) {
      if (!apart(trade, place)) continue;
      const score = (trade?.score ?? 0) + (place?.score ?? 0);
      if (score > most) [most, best] = [score, { trade, place }];
    }
  }
  return best;
}

/** What neither the trade nor the place says: without what is the same trade once more, and without what says nothing. */
function leftOf(tokens: readonly Token[], trades: readonly TradeSpan[], trade: TradeSpan | null, place: PlaceSpan | null): Token[] {
  const same = trades.filter(
    (other) => trade !== null && apart(other, place) && other.meant.kind !== 'narrower' && isSame(other.meant.trade, trade.meant.trade),
  );
  return tokens.filter(({ word }, index) => ![trade, place, ...same].some((span) => within(index, span)) && !isFiller(word));
}

const isSame = (one: Trade, other: Trade) => one === other || (one.category !== null && one.category === other.category);

function readingsOf(tokens: readonly Token[], left: readonly Token[], span: TradeSpan | null, at: PlaceSpan | null): Reading[] {
  const place = at?.places[0] ?? null;
  const words = typedText(left);
  if (!span) return [{ category: null, subCategories: [], place, words }];
  const { trade, kind } = span.meant;
  if (kind === 'narrower') {
    const narrow = typedText([{ typed: span.corrected ?? typedText(tokens.slice(span.from, span.to)), word: '' }, ...left]);
    const subCategories = trade.category ? [] : trade.subCategories;
    return [
      { category: trade.category, subCategories, place, words: narrow },
      { category: null, subCategories: [], place, words: narrow },
    ];
  }
  const of = { category: trade.category, subCategories: trade.subCategories, place };
  // "Emergency electrician": who says so in their listing stands there alone; where nobody does, all of the trade are better than none.
  const isSoft = left.length > 0 && left.every(({ word }) => soft.has(word));
  return [{ ...of, words }, ...(isSoft ? [{ ...of, words: '' }] : [])];
}

/**
 * Whether the text is rather a name than a description: it ends as names of businesses do, or begins with a place that few live in, or
 * that is only half written. "Murray Plumbing" is somebody's, "Hamilton plumbing" is all there is.
 */
function isName(tokens: readonly Token[], left: readonly Token[], trade: TradeSpan | null, span: PlaceSpan | null, known: Known): boolean {
  if (left.some(({ word }) => ofNames.has(word))) return true;
  const [place] = span?.places ?? [];
  if (!span || !place || span.asked) return false;
  if (!span.certain) return trade === null || (!place.corrected && span.to < tokens.length);
  return span.from === 0 && span.to === 1 && trade?.from !== 0 && place.kind === 'town' && known.isSmall(place);
}

function guessesOf(tokens: readonly Token[], trades: readonly TradeSpan[], place: PlaceSpan | null, known: Known): Guess[] {
  const told = tokens.filter((_, index) => !within(index, place));
  const classified = known.classify(typedText(told));
  if (classified.length > 0) return [...classified];
  // Nobody can tell: what the table knows of it, the longest first.
  const named = trades
    .toSorted((a, b) => b.score - a.score)
    .map(({ meant }) => ({ category: meant.trade.category, subCategories: meant.trade.subCategories, probability: 1 }));
  return [...new Map(named.map((one) => [`${one.category?.code} ${one.subCategories[0]?.code}`, one])).values()].slice(0, 3);
}

function correctedText(tokens: readonly Token[], trade: TradeSpan | null, place: PlaceSpan | null): string | null {
  if (!trade?.corrected && !place?.corrected) return null;
  const parts = tokens.flatMap(({ typed }, index) => {
    for (const span of [trade, place]) if (span?.corrected && within(index, span)) return index === span.from ? [span.corrected] : [];
    return [typed];
  });
  return parts.join(' ');
}

const byLength = Map.groupBy(
  tradeWords.filter((word) => word.length >= 5),
  (word) => word.length,
);

// A name is soon one letter from a trade, as Tyler is from tiler: fewer errors are forgiven than in a search by words, and none in its first letter.
const forgiven = (word: string) => (word.length < 5 ? 0 : word.length < 8 ? 1 : 2);

/** The word of the table of trades that a mistyped word is nearest to; undefined where none is near. */
export function nearestTradeWord(typed: string): string | undefined {
  let most = forgiven(typed);
  let nearest: string | undefined;
  for (let length = typed.length - most; most > 0 && length <= typed.length + forgiven(typed); length += 1) {
    for (const word of byLength.get(length) ?? []) {
      if (word[0] !== typed[0]) continue;
      const errors = computeEditDistance(typed, word);
      // Between equals the longer one: a letter is left out sooner than typed wrong.
      if (errors > most || (errors === most && nearest?.length === length)) continue;
      most = errors;
      nearest = word;
    }
  }
  return nearest;
}
