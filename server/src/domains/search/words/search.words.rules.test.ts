import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formOf } from './search.word-forms.ts';
import { fieldsWith, isUnknown, meaningOf, meaningOfFewLetters } from './search.words.rules.ts';

const none = { categoryCodes: [], subCodes: [] };
const exact = (...forms: string[]) => ({ forms, near: [] });
const near = (...words: string[]) => ({ forms: [], near: words });

test('a searched word stands for the forms of all words that it begins or is a form of', () => {
  expect(meaningOf('weka', exact('weka', 'wekaland'))).toEqual({ forms: ['weka', 'wekaland'], ...none });
  expect(meaningOf('tiler', exact('tiler'))).toEqual({ forms: ['tiler'], ...none });
});

test('of a word of one or two letters its beginning says what it stands for, for a form begins as its words do', () => {
  const { forms: _, ...names } = meaningOf('pl', exact('plumber'));
  expect(meaningOfFewLetters('pl')).toEqual({ forms: [], begins: 'pl', ...names });
  expect(names.categoryCodes).toEqual([6]);
  expect(meaningOfFewLetters('plu')).toBeNull();
  const ending = fc.constantFrom('', 's', 'es', 'ies', 'er', 'ers', 'erer', 'ing', 'ering', 'ings', 'sses', 'ches');
  const start = fc.string({ unit: fc.constantFrom(...'aeinrst'), minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(start, ending, (begun, end) => {
      const word = begun + end;
      expect(formOf(word).slice(0, 2)).toBe(word.slice(0, 2));
      // Nothing else than what begins with it is another form of so short a word.
      expect(word.length > 2 || formOf(word) === word).toBe(true);
    }),
  );
});

test('what stands for something is no typing error', () => {
  expect(meaningOf('kiwi', { forms: ['kiwifruit'], near: ['kiki'] })).toEqual({ forms: ['kiwifruit'], ...none });
  expect(meaningOf('fencing', near('fenzing'))).toEqual({ forms: [], categoryCodes: [], subCodes: [1003] });
  expect(meaningOf('landsca', near('landscx'))).toEqual({ forms: [], categoryCodes: [11], subCodes: [1001] });
});

test.each([
  ['plumber', { categoryCodes: [6], subCodes: [] }],
  ['plumb', { categoryCodes: [6], subCodes: [] }],
  ['paint', { categoryCodes: [8], subCodes: [205] }],
  ['cleaner', { categoryCodes: [1], subCodes: [605, 901] }],
  ['fence', { categoryCodes: [], subCodes: [] }],
  ['fencing', { categoryCodes: [], subCodes: [1003] }],
  ['windows', { categoryCodes: [9], subCodes: [104] }],
  ['lumber', { categoryCodes: [], subCodes: [] }],
])('the categories with “%s” in their names are meant too', (typed, names) => {
  expect(meaningOf(typed, exact(formOf(typed)))).toEqual({ forms: [formOf(typed)], ...names });
});

test('a typing error is forgiven in words of listings and of categories, the nearest only', () => {
  expect(meaningOf('kowahi', near('kowhai', 'kowhaxi')).forms).toEqual(['kowhai']);
  expect(meaningOf('elctricians', near())).toEqual({ forms: ['electrician'], categoryCodes: [], subCodes: [501] });
  expect(meaningOf('plubmer', near('plumber', 'plumbers'))).toEqual({ forms: ['plumber'], categoryCodes: [6], subCodes: [] });
  expect(meaningOf('wombta', near('wombat', 'womble')).forms).toEqual(['wombat']);
  expect(isUnknown(meaningOf('zzzzzz', near('wombat')))).toBe(true);
  // One letter more than is forgiven: two in five, three in seven.
  expect(isUnknown(meaningOf('skint', near('sknxy')))).toBe(true);
  expect(meaningOf('wombats', near('wembots')).forms).toEqual(['wembot']);
  expect(isUnknown(meaningOf('wombats', near('wembotz')))).toBe(true);
});

test('a word that begins with another letter is another word, unless its first two are swapped', () => {
  expect(isUnknown(meaningOf('anderson', near('henderson', 'sanderson')))).toBe(true);
  expect(isUnknown(meaningOf('zelectricians', near()))).toBe(true);
  expect(meaningOf('owmbats', near('wombats')).forms).toEqual(['wombat']);
  expect(isUnknown(meaningOf('oxmbats', near('wombats')))).toBe(true);
});

test.each([
  ['tiler', 'tiler'],
  ['tilers', 'tiler'],
  ['tiling', 'tiler'],
  ['tile', 'tile'],
  ['tiles', 'tile'],
  ['plumbing', 'plumber'],
  ['painters', 'painter'],
  ['paint', 'paint'],
  ['fittings', 'fitter'],
  ['plasterer', 'plaster'],
  ['plastering', 'plaster'],
  ['gutters', 'gutter'],
  ['guttering', 'gutter'],
  ['properties', 'property'],
  ['ties', 'tie'],
  ['branches', 'branch'],
  ['finishes', 'finish'],
  ['boxes', 'box'],
  ['glasses', 'glass'],
  ['houses', 'house'],
  ['glass', 'glass'],
  ['gas', 'gas'],
  ['bus', 'bus'],
  ['taps', 'tap'],
  ['chassis', 'chassis'],
  ['spring', 'spring'],
  ['king', 'king'],
  ['using', 'using'],
  ['ceiling', 'ceiler'],
  ['taupo', 'taupo'],
  ['24', '24'],
])('the form of %s is %s', (word, form) => {
  expect(formOf(word)).toBe(form);
});

const listing = {
  service_title: 'Tiling in Taupō',
  business_title: 'Kōwhai Tilers',
  services: ['Bathrooms', 'Waterproofing'],
  category_code: 10,
  sub_category_code: 1003,
};

test.each([
  [['tiler'], [], [], ['title', 'business']],
  [['kowhai'], [], [], ['business']],
  [['bathroom', 'shower'], [], [], ['services']],
  [[], [10], [], ['category']],
  [[], [], [1003], ['category']],
  [['waterproofer', 'taupo'], [9], [1003], ['title', 'services', 'category']],
  [['tile'], [9], [1002], []],
] as const)('the forms %j and the categories %j and %j stand in %j of a listing', (forms, categoryCodes, subCodes, fields) => {
  expect(fieldsWith(listing, [{ forms, categoryCodes, subCodes }])).toEqual(fields);
  expect(fieldsWith({ ...listing, sub_category_code: null }, [{ forms: [], categoryCodes: [], subCodes }])).toEqual([]);
});

test('the fields of several words are those of any', () => {
  expect(
    fieldsWith(listing, [
      { forms: ['tiler'], ...none },
      { forms: ['bathroom'], ...none },
    ]),
  ).toEqual(['title', 'business', 'services']);
});

test('a word that is meant by its beginning stands wherever any word begins so', () => {
  const listing = {
    service_title: 'House painters',
    business_title: 'Roof & Sons',
    services: ['Tiles'],
    category_code: 8,
    sub_category_code: null,
  };
  const begins = (letters: string) => fieldsWith(listing, [{ forms: [], begins: letters, ...none }]);
  expect([begins('pa'), begins('s'), begins('o')]).toEqual([['title'], ['business'], []]);
});
