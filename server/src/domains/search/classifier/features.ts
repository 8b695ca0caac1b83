import { tradeKey, wordsOfText } from '@handwise/contract/search/trades';

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
