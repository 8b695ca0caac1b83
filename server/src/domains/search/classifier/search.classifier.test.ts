import { expect, test } from 'vitest';
import { categories, findCategoryByCode, getGroupCode, findSubCategoryByCode } from '@handwise/contract/listings/categories';
import { splitWords } from '@handwise/contract/text';
import { measureClassifier } from '../../../../test/search/accuracy.ts';
import { heldOutSentences, interchangeableSubCategories } from '../../../../test/search/held-out-sentences.ts';
import { trainModel } from './regression.ts';
import { extractFeatures, classify, trainingTexts } from './search.classifier.ts';

const share = ({ right, of }: { right: number; of: number }) => right / of;

test('holds out at least 300 sentences: six per sub-category and three per group with sub-categories', () => {
  expect(heldOutSentences.length).toBeGreaterThanOrEqual(300);
  expect(new Set(heldOutSentences.map(({ sentence }) => sentence)).size).toBe(heldOutSentences.length);
  for (const { code, subCategories } of categories) {
    for (const sub of subCategories) expect(heldOutSentences.filter(({ subCategory }) => subCategory === sub.code)).toHaveLength(6);
    const ofGroup = heldOutSentences.filter(({ category, subCategory }) => category === code && subCategory === null);
    expect(ofGroup).toHaveLength(subCategories.length > 1 ? 3 : 0);
  }
  expect(heldOutSentences.filter(({ category, subCategory }) => subCategory && getGroupCode(subCategory) !== category)).toEqual([]);
});

test('held-out sentences and training texts do not overlap', () => {
  const asWords = (text: string) => ` ${splitWords(text).join(' ')} `;
  const learnt = trainingTexts.map(({ text }) => asWords(text));
  const all = learnt.join('|');
  for (const { sentence } of heldOutSentences) expect(all).not.toContain(asWords(sentence));
  // Short phrases such as names of trades may occur in sentences.
  const long = learnt.filter((text) => text.trim().split(' ').length > 4);
  for (const { sentence } of heldOutSentences) expect(long.filter((text) => asWords(sentence).includes(text))).toEqual([]);
});

test('the first group is right for 90% of the held-out sentences, one of the first three for 97%', () => {
  const { groupFirst, groupInThree, subFirst, subInThree, unknown } = measureClassifier();
  expect(share(groupFirst)).toBeGreaterThanOrEqual(0.9);
  expect(share(groupInThree)).toBeGreaterThanOrEqual(0.97);
  expect(share(subFirst)).toBeGreaterThanOrEqual(0.82);
  expect(share(subInThree)).toBeGreaterThanOrEqual(0.95);
  expect(share(unknown)).toBeLessThanOrEqual(0.03);
});

test('training texts are not empty, have existing codes and cover all categories', () => {
  expect(trainingTexts.filter(({ text }) => text.trim() === '')).toEqual([]);
  expect(trainingTexts.filter(({ code }) => !findCategoryByCode(code) && !findSubCategoryByCode(code))).toEqual([]);
  for (const { code } of categories.flatMap((one) => [one, ...one.subCategories])) {
    expect(trainingTexts.filter((text) => text.code === code).length).toBeGreaterThan(3);
  }
  for (const code of interchangeableSubCategories.flat()) expect(findSubCategoryByCode(code)).toBeDefined();
});

test.each([
  ['my hot water cylinder is leaking in the ceiling', 6, 606],
  ['a tree fell over the fence and needs to be cut up', 11, 1102],
  ['hot water cylnder leeking', 6, 606],
  ['electrician', 5, 501],
  ['PLUMBER', 6, null],
])('classifies "%s"', (sentence, category, subCategory) => {
  expect(classify(sentence)[0]).toMatchObject({ category, subCategory });
});

test.each([
  '',
  '   ',
  '!!!',
  '1234',
  'qwerty zxcvb',
  'Henderson',
  'Anderson',
  'pizza',
  'a haircut for my wedding',
  'book a flight to Fiji',
  '你好',
  '💧💧',
])('does not classify "%s"', (text) => expect(classify(text)).toEqual([]));

test('lists distinct guesses, most probable first, with the group if no sub-category stands out', () => {
  for (const sentence of [...heldOutSentences.slice(0, 60).map((one) => one.sentence), 'garden', 'leak']) {
    const [first, ...others] = classify(sentence);
    expect(others.map(({ probability }) => probability)).toEqual(others.map(({ probability }) => probability).toSorted((a, b) => b - a));
    const all = [first, ...others].flatMap((guess) => guess ?? []);
    expect(new Set(all.map(({ category, subCategory }) => `${category} ${subCategory}`)).size).toBe(all.length);
    for (const { probability } of all) expect(probability > 0.02 && probability <= 1).toBe(true);
  }
  // The probability of a group is the sum of its sub-categories.
  const [garden] = classify('garden');
  expect(garden).toMatchObject({ category: 11, subCategory: null });
  expect(garden?.probability).toBeGreaterThan(0.9);
});

test('features are stems, pairs and parts of words, without case, punctuation and stop words', () => {
  expect([...extractFeatures('The tap')]).toEqual([['word tap', 1]]);
  expect(extractFeatures('Leaking TAPS!')).toEqual(extractFeatures('leak tap'));
  expect([...extractFeatures('gas hob')]).toEqual([
    ['word gas', 1],
    ['word hob', 1],
    ['pair gas hob', 0.5],
  ]);
  expect([...extractFeatures('Taupō')]).toEqual([
    ['word taupo', 1],
    ['part _tau', 0.2],
    ['part taup', 0.2],
    ['part aupo', 0.2],
    ['part upo_', 0.2],
  ]);
  expect([...extractFeatures('not on').keys()]).toEqual(['pair not on']);
  expect(extractFeatures('a tap').has('pair a tap')).toBe(false);
  expect(extractFeatures('tap tap').get('word tap')).toBe(2);
  expect(extractFeatures(Array.from({ length: 500 }, (_, n) => `w${n}`).join(' ')).has('word w40')).toBe(false);
});

test('training is deterministic and separates classes, and unknown words lower the confidence', () => {
  const examples = ['red apple', 'green apple', 'ripe apple', 'fast car', 'red car', 'slow car'].map((text) => ({
    features: extractFeatures(text),
    label: text.split(' ')[1],
  }));
  const model = trainModel(examples, 2);
  const chance = (text: string, of: string) => model.probabilities(extractFeatures(text))[model.classes.indexOf(of)] ?? 0;
  expect(model.classes).toEqual(['apple', 'car']);
  expect(chance('apple', 'apple')).toBeGreaterThan(0.8);
  expect(chance('blue car', 'car')).toBeGreaterThan(0.6);
  expect(chance('apple', 'apple') + chance('apple', 'car')).toBeCloseTo(1);
  expect(chance('apple', 'apple')).toBe(trainModel(examples, 2).probabilities(extractFeatures('apple'))[0]);
  expect(chance('apple zebra giraffe', 'apple')).toBeLessThan(chance('apple', 'apple'));
  expect(chance('zebra', 'car')).toBeCloseTo(0.5);
  // More sharpness, more confidence.
  const sharper = trainModel(examples, 4).probabilities(extractFeatures('apple'))[0] ?? 0;
  expect(sharper).toBeGreaterThan(chance('apple', 'apple'));
});
