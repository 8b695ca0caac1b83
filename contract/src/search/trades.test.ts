import { expect, test } from 'vitest';
import { splitWords } from '../text.ts';
import { isAnyTradeWord, isFillerWord, toTradeKey, findTrade, trades, tradeWords } from './trades.ts';

const placeOf = (text: string) => {
  const found = findTrade(splitWords(text));
  return found && [found.trade.category?.name ?? null, found.trade.subCategories[0]?.name ?? null, found.kind];
};

test.each([
  ['plumber', ['Plumbing', null, 'who']],
  ['Plumbers', ['Plumbing', null, 'who']],
  ['sparky', ['Electrical & Gas', 'Electricians', 'who']],
  ['sparkies', ['Electrical & Gas', 'Electricians', 'who']],
  ['chippy', ['Concrete & Driveways', 'Carpentry', 'who']],
  ['brickies', ['Building & Construction', null, 'apart']],
  ['gib stopper', ['Building & Construction', null, 'apart']],
  ['gib-stopping', ['Building & Construction', null, 'apart']],
  ['dunny', ['Plumbing', null, 'what']],
  ['heatpump', ['Electrical & Gas', 'Electricians', 'narrower']],
  ['heat pumps', ['Electrical & Gas', 'Electricians', 'narrower']],
  ['lawnmowing', ['Landscape & Lawn Maintenance', 'Lawn maintenance', 'who']],
  ['Lawn-Mowers', ['Landscape & Lawn Maintenance', 'Lawn maintenance', 'who']],
  ['tiler', ['Building & Construction', null, 'apart']],
  ['gutters', ['Roofing', null, 'narrower']],
  ['fences', ['Concrete & Driveways', 'Fencing & gates', 'what']],
  ['fencers', ['Concrete & Driveways', 'Fencing & gates', 'who']],
  ['aircon', ['Electrical & Gas', 'Electricians', 'narrower']],
  ['hot water cylinder', ['Plumbing', 'Water heater services', 'what']],
  ['chimney sweep', ['Roofing', null, 'apart']],
  ['arborists', ['Landscape & Lawn Maintenance', 'Tree services', 'who']],
  ['window cleaner', [null, 'Window cleaning', 'who']],
  ['home organizer', ['Home Improvement', 'Home organization', 'who']],
  ['kaimahi hiko', ['Electrical & Gas', 'Electricians', 'who']],
  ['kaitiaki kari', ['Landscape & Lawn Maintenance', null, 'who']],
])('%s is %j', (text, place) => {
  expect(placeOf(text)).toEqual(place);
});

test.each(['tradie', 'Kiwi', 'hamilton', 'smith', 'co', ''])('%j is not a trade', (text) => {
  expect(placeOf(text)).toBeUndefined();
});

test('the table has over 800 entries, each of a single trade', () => {
  const had = new Map<string, unknown>();
  let entries = 0;
  for (const trade of trades) {
    for (const words of [...trade.who, ...trade.what, ...trade.narrower, ...trade.apart]) {
      const key = toTradeKey(splitWords(words));
      expect([words, had.get(key) ?? trade]).toEqual([words, trade]);
      had.set(key, trade);
      entries += 1;
    }
  }
  expect(entries).toBeGreaterThan(800);
  expect(tradeWords).toContain('electrician');
});

test('finds every entry in capitals, with hyphens, as one word and in the plural', () => {
  for (const trade of trades) {
    for (const words of [...trade.who, ...trade.what, ...trade.narrower, ...trade.apart]) {
      const written = [words.toUpperCase(), words.replaceAll(' ', '-'), words.replaceAll(' ', '')];
      if (/[a-z]{2}[^aeiousxzhy]$/.test(words)) written.push(`${words}s`);
      for (const text of written) expect([text, findTrade(splitWords(text))?.trade]).toEqual([text, trade]);
    }
  }
});

test.each([
  ['tradies', true, true],
  ['contractor', true, true],
  ['cheap', false, true],
  ['near', false, true],
  ['services', false, true],
  ['plumber', false, false],
  ['smith', false, false],
])('%s: word for any trade %s, filler word %s', (word, isAnyTrade, isFiller) => {
  expect([isAnyTradeWord(word), isFillerWord(word)]).toEqual([isAnyTrade, isFiller]);
});
