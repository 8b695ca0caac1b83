import { groupCodeOf } from '@handwise/contract/listings/categories';
import { trades, tradeKey, wordsOfText } from '@handwise/contract/search/trades';
import { type Example, type Model, learn } from './regression.ts';
import { buildingTexts } from './training-building.ts';
import { gardenTexts } from './training-garden.ts';
import { homeTexts } from './training-home.ts';

/** What a sentence is taken to ask for. `probability` is that of the sub-category, or where there is none of the group as a whole. */
export type Guess = { category: number; subCategory: number | null; probability: number };

// Codes of sub-categories, and of groups for texts that say no more.
/** Of what the classifier knows: groups stand among sub-categories. */
const groupOf = (code: number) => (code < 100 ? code : groupCodeOf(code));

/** Every text that the classifier learns from, with the sub-category or group that it asks for. */
export const trainingTexts: readonly { text: string; code: number }[] = [
  ...[homeTexts, buildingTexts, gardenTexts].flatMap((texts) =>
    Object.entries(texts).flatMap(([code, lines]) => lines.split('\n').map((line) => ({ text: line.trim(), code: Number(code) }))),
  ),
  ...trades.flatMap(({ category, subCategories, who, what, narrower }) => {
    const codes = subCategories.length > 0 ? subCategories.map((sub) => sub.code) : category ? [category.code] : [];
    return codes.flatMap((code) => [...who, ...what, ...narrower].map((text) => ({ text, code })));
  }),
];

const sharpness = 1.75;
// Below it a group is not named at all, and of a named group no sub-category.
const leastProbability = 0.25;
const leastShare = 0.4;
// What is less probable is no alternative.
const leastAlternative = 0.02;

const exampleOf = ({ text, code }: (typeof trainingTexts)[number]): Example<number> => ({ features: featuresOf(text), of: code });

let model: Model<number> | undefined;

/** Learns, which takes a fifth of a second once in the life of a process: a server does so when it starts, else the first sentence waits. */
export const learnSentences = () => (model ??= learn(trainingTexts.map(exampleOf), sharpness));

/** What a whole sentence asks for, the most probable first and its alternatives behind it. Empty where the classifier does not know. */
export function classify(words: string): Guess[] {
  const { classes, probabilities } = learnSentences();
  const chances = [...probabilities(featuresOf(words))].map((probability, index) => ({ code: classes[index] ?? 0, probability }));
  const groups = new Map<number, number>();
  for (const { code, probability } of chances) groups.set(groupOf(code), (groups.get(groupOf(code)) ?? 0) + probability);
  const [category, probability] = [...groups].reduce((best, one) => (one[1] > best[1] ? one : best));
  if (probability < leastProbability) return [];

  const ranked = chances
    .toSorted((one, other) => other.probability - one.probability)
    .map((one): Guess => ({ category: groupOf(one.code), subCategory: one.code < 100 ? null : one.code, probability: one.probability }));
  const sub = ranked.find((one) => one.category === category && one.subCategory !== null);
  const first = sub && sub.probability >= leastShare * probability ? sub : { category, subCategory: null, probability };
  const others = ranked.filter(
    (one) => one.probability >= leastAlternative && (one.category !== first.category || one.subCategory !== first.subCategory),
  );
  return [first, ...others];
}

// Words that say nothing of what is needed.
const empty = new Set(
  `a an the my our your his her its we i you they it is are am be been was were to of for in on at by with and or so that this these
  those there here from up out me us who how what when which want wants wanted need needs needed please can could would some someone
  somebody get got has have had do does did not no any as if but just all very much really about into will looking after`.split(/\s+/),
);
const articles = new Set(['a', 'an', 'the', 'my', 'our', 'your']);

// How much a pair of neighbours and a part of a word say beside a word. Parts of words forgive typing errors and endings.
const weights = { pair: 0.5, part: 0.2 };
const partLength = 4;
const mostWords = 40;

/** What a text is recognised by: its words without their endings, pairs of neighbours, and parts of words, each with its weight. */
export function featuresOf(text: string): Map<string, number> {
  const features = new Map<string, number>();
  const add = (feature: string, weight: number) => features.set(feature, (features.get(feature) ?? 0) + weight);
  const words = wordsOfText(text).slice(0, mostWords);
  for (const word of words) {
    if (empty.has(word)) continue;
    const key = tradeKey([word]);
    add(`word ${key}`, 1);
    const whole = `_${key}_`;
    for (let at = 0; key.length >= partLength && at + partLength <= whole.length; at += 1) {
      add(`part ${whole.slice(at, at + partLength)}`, weights.part);
    }
  }
  const kept = words.filter((word) => !articles.has(word)).map((word) => tradeKey([word]));
  for (const [index, key] of kept.slice(1).entries()) add(`pair ${kept[index]} ${key}`, weights.pair);
  return features;
}
