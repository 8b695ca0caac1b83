import { getGroupCode } from '@handwise/contract/listings/categories';
import { trades, toTradeKey } from '@handwise/contract/search/trades';
import { splitWords } from '@handwise/contract/text';
import { type Example, type Model, trainModel } from './regression.ts';
import { buildingTexts } from './training-building.ts';
import { gardenTexts } from './training-garden.ts';
import { homeTexts } from './training-home.ts';

/** `probability` is that of the sub-category, or without one that of the whole group. */
export type Classification = { category: number; subCategory: number | null; probability: number };

// The classes are codes of sub-categories, and codes of groups for texts that do not say more.
const getGroup = (code: number) => (code < 100 ? code : getGroupCode(code));

/** The training data: texts with the code of their sub-category or group. */
export const trainingTexts: readonly { text: string; code: number }[] = [
  ...[homeTexts, buildingTexts, gardenTexts].flatMap((texts) =>
    Object.entries(texts).flatMap(([code, lines]) => lines.split('\n').map((line) => ({ text: line.trim(), code: Number(code) }))),
  ),
  ...trades.flatMap(({ category, subCategories, who, what, narrower, apart }) => {
    const codes = subCategories.length > 0 ? subCategories.map((sub) => sub.code) : category ? [category.code] : [];
    return codes.flatMap((code) => [...who, ...what, ...narrower, ...apart].map((text) => ({ text, code })));
  }),
];

const sharpness = 1.75;
// Below it no group is returned.
const minProbability = 0.25;
const minSubCategoryShare = 0.4;

const minAlternativeProbability = 0.02;

const toExample = ({ text, code }: (typeof trainingTexts)[number]): Example<number> => ({ features: extractFeatures(text), label: code });

let model: Model<number> | undefined;

/** Trains once per process, which takes 0.2 seconds; a server does so at the start, so that the first sentence does not wait. */
export const trainClassifier = () => (model ??= trainModel(trainingTexts.map(toExample), sharpness));

/** The most probable category of a sentence, then its alternatives. Empty if none is probable enough. */
export function classify(words: string): Classification[] {
  const { classes, probabilities } = trainClassifier();
  const scores = [...probabilities(extractFeatures(words))].map((probability, index) => ({ code: classes[index] ?? 0, probability }));
  const groups = new Map<number, number>();
  for (const { code, probability } of scores) groups.set(getGroup(code), (groups.get(getGroup(code)) ?? 0) + probability);
  const [category, probability] = [...groups].reduce((best, one) => (one[1] > best[1] ? one : best));
  if (probability < minProbability) return [];

  const ranked = scores
    .toSorted((one, other) => other.probability - one.probability)
    .map((one): Classification => ({
      category: getGroup(one.code),
      subCategory: one.code < 100 ? null : one.code,
      probability: one.probability,
    }));
  const sub = ranked.find((one) => one.category === category && one.subCategory !== null);
  const first = sub && sub.probability >= minSubCategoryShare * probability ? sub : { category, subCategory: null, probability };
  const others = ranked.filter(
    (one) => one.probability >= minAlternativeProbability && (one.category !== first.category || one.subCategory !== first.subCategory),
  );
  return [first, ...others];
}

// Words that say nothing about the work.
const stopWords = new Set(
  `a an the my our your his her its we i you they it is are am be been was were to of for in on at by with and or so that this these
  those there here from up out me us who how what when which want wants wanted need needs needed please can could would some someone
  somebody get got has have had do does did not no any as if but just all very much really about into will looking after`.split(/\s+/),
);
const articles = new Set(['a', 'an', 'the', 'my', 'our', 'your']);

// Relative to a word, which has weight 1. Parts of words make up for typing errors and endings.
const weights = { pair: 0.5, part: 0.2 };
const gramLength = 4;
const maxWords = 40;

/** Features with weights: stems, pairs of neighbouring words, and parts of words (character n-grams). */
export function extractFeatures(text: string): Map<string, number> {
  const features = new Map<string, number>();
  const add = (feature: string, weight: number) => features.set(feature, (features.get(feature) ?? 0) + weight);
  const words = splitWords(text).slice(0, maxWords);
  for (const word of words) {
    if (stopWords.has(word)) continue;
    const key = toTradeKey([word]);
    add(`word ${key}`, 1);
    const padded = `_${key}_`;
    for (let at = 0; key.length >= gramLength && at + gramLength <= padded.length; at += 1) {
      add(`part ${padded.slice(at, at + gramLength)}`, weights.part);
    }
  }
  const neighbours = words.filter((word) => !articles.has(word)).map((word) => toTradeKey([word]));
  for (const [index, key] of neighbours.slice(1).entries()) add(`pair ${neighbours[index]} ${key}`, weights.pair);
  return features;
}
