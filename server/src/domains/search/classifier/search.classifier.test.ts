import { categories, categoryOfCode, groupCodeOf, subCategoryOfCode } from '@handwise/contract/listings/categories';
import { wordsOfText } from '@handwise/contract/search/trades';
import { expect, test } from 'vitest';
import { featuresOf, classify, trainingTexts } from './search.classifier.ts';
import { accuracyOnHeld } from '../understanding/accuracy.ts';
import { heldSentences, sameToHouseholds } from './held-sentences.ts';
import { learn } from './regression.ts';

const share = ({ right, of }: { right: number; of: number }) => right / of;

test('three hundred sentences are held: six for each sub-category, and some for each group that is divided', () => {
  expect(heldSentences).toHaveLength(300);
  expect(new Set(heldSentences.map(({ sentence }) => sentence)).size).toBe(300);
  for (const { code, subCategories } of categories) {
    for (const sub of subCategories) expect(heldSentences.filter(({ subCategory }) => subCategory === sub.code)).toHaveLength(6);
    const ofGroup = heldSentences.filter(({ category, subCategory }) => category === code && subCategory === null);
    expect(ofGroup).toHaveLength(subCategories.length > 1 ? 3 : 0);
  }
  expect(heldSentences.filter(({ category, subCategory }) => subCategory && groupCodeOf(subCategory) !== category)).toEqual([]);
});

test('no held sentence stands in what the classifier learns from, nor does one of its texts stand in a held sentence as a whole', () => {
  const asWords = (text: string) => ` ${wordsOfText(text).join(' ')} `;
  const learnt = trainingTexts.map(({ text }) => asWords(text));
  const all = learnt.join('|');
  for (const { sentence } of heldSentences) expect(all).not.toContain(asWords(sentence));
  // Names of trades and other short phrases are what sentences are made of.
  const long = learnt.filter((text) => text.trim().split(' ').length > 4);
  for (const { sentence } of heldSentences) expect(long.filter((text) => asWords(sentence).includes(text))).toEqual([]);
});

test('of the held sentences the group is right nine times in ten, and among the first three 97 times in a hundred', () => {
  const { groupFirst, groupInThree, subFirst, subInThree, unknown } = accuracyOnHeld();
  expect(share(groupFirst)).toBeGreaterThanOrEqual(0.9);
  expect(share(groupInThree)).toBeGreaterThanOrEqual(0.97);
  expect(share(subFirst)).toBeGreaterThanOrEqual(0.82);
  expect(share(subInThree)).toBeGreaterThanOrEqual(0.95);
  expect(share(unknown)).toBeLessThanOrEqual(0.03);
});

test('every text to learn from is there, and asks for a sub-category or group that exists', () => {
  expect(trainingTexts.filter(({ text }) => text.trim() === '')).toEqual([]);
  expect(trainingTexts.filter(({ code }) => !categoryOfCode(code) && !subCategoryOfCode(code))).toEqual([]);
  for (const { code } of categories.flatMap((one) => [one, ...one.subCategories])) {
    expect(trainingTexts.filter((text) => text.code === code).length).toBeGreaterThan(3);
  }
  for (const code of sameToHouseholds.flat()) expect(subCategoryOfCode(code)).toBeDefined();
});

test.each([
  ['my hot water cylinder is leaking in the ceiling', 6, 606],
  ['a tree fell over the fence and needs to be cut up', 11, 1102],
  ['hot water cylnder leeking', 6, 606],
  ['electrician', 5, 501],
  ['PLUMBER', 6, null],
])('"%s" is read', (sentence, category, subCategory) => {
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
])('of "%s" nothing is said to be known', (text) => expect(classify(text)).toEqual([]));

test('guesses come with what is most probable first: the sub-category, or its group where none stands out, and each once', () => {
  for (const sentence of [...heldSentences.slice(0, 60).map((one) => one.sentence), 'water', 'leak']) {
    const [first, ...others] = classify(sentence);
    expect(others.map(({ probability }) => probability)).toEqual(others.map(({ probability }) => probability).toSorted((a, b) => b - a));
    const all = [first, ...others].flatMap((guess) => guess ?? []);
    expect(new Set(all.map(({ category, subCategory }) => `${category} ${subCategory}`)).size).toBe(all.length);
    for (const { probability } of all) expect(probability > 0.02 && probability <= 1).toBe(true);
  }
  // Of the group as a whole the probability is that of all that is in it.
  const [water] = classify('water');
  expect(water).toMatchObject({ category: 6, subCategory: null });
  expect(water?.probability).toBeGreaterThan(0.9);
});

test('a text is as much as its words, pairs and parts, whatever its case, endings, marks and empty words', () => {
  expect([...featuresOf('The tap')]).toEqual([['word tap', 1]]);
  expect(featuresOf('Leaking TAPS!')).toEqual(featuresOf('leak tap'));
  expect([...featuresOf('gas hob')]).toEqual([
    ['word gas', 1],
    ['word hob', 1],
    ['pair gas hob', 0.5],
  ]);
  expect([...featuresOf('Taupō')]).toEqual([
    ['word taupo', 1],
    ['part _tau', 0.2],
    ['part taup', 0.2],
    ['part aupo', 0.2],
    ['part upo_', 0.2],
  ]);
  expect([...featuresOf('not on').keys()]).toEqual(['pair not on']);
  expect(featuresOf('a tap').has('pair a tap')).toBe(false);
  expect(featuresOf('tap tap').get('word tap')).toBe(2);
  expect(featuresOf(Array.from({ length: 500 }, (_, n) => `w${n}`).join(' ')).has('word w40')).toBe(false);
});

test('what is learnt tells classes apart, is the same each time, and unknown words make it less certain', () => {
  const examples = ['red apple', 'green apple', 'ripe apple', 'fast car', 'red car', 'slow car'].map((text) => ({
    features: featuresOf(text),
    of: text.split(' ')[1],
  }));
  const model = learn(examples, 2);
  const chance = (text: string, of: string) => model.probabilities(featuresOf(text))[model.classes.indexOf(of)] ?? 0;
  expect(model.classes).toEqual(['apple', 'car']);
  expect(chance('apple', 'apple')).toBeGreaterThan(0.8);
  expect(chance('blue car', 'car')).toBeGreaterThan(0.6);
  expect(chance('apple', 'apple') + chance('apple', 'car')).toBeCloseTo(1);
  expect(chance('apple', 'apple')).toBe(learn(examples, 2).probabilities(featuresOf('apple'))[0]);
  expect(chance('apple zebra giraffe', 'apple')).toBeLessThan(chance('apple', 'apple'));
  expect(chance('zebra', 'car')).toBeCloseTo(0.5);
  // Sharper is the same order, farther apart.
  const sharper = learn(examples, 4).probabilities(featuresOf('apple'))[0] ?? 0;
  expect(sharper).toBeGreaterThan(chance('apple', 'apple'));
});
