import { expect, test } from 'vitest';
import { mergeWishes, readWishes } from './search.wishes.ts';

test.each([
  ['cheap handyman under $60 an hour wellington', 'handyman wellington', ['cheap', 'under $60 an hour'], { maxPrice: 60 }],
  ['cleaner max $45', 'cleaner', ['max $45'], { maxPrice: 45 }],
  ['bathroom under $1.5k', 'bathroom', ['under $1.5k'], { maxPrice: 1_500 }],
  ['bond clean $300', 'bond clean', ['$300'], { maxPrice: 300 }],
  ['painter under $80 max $60', 'painter', ['under $80', 'max $60'], { maxPrice: 60 }],
  ['kitchen from $20,000', 'kitchen', ['from $20,000'], {}],
  ['plumber tonight', 'plumber', ['tonight'], {}],
  ['24 hour plumber', 'plumber', ['24 hour'], {}],
  ['electrician on Sunday morning', 'electrician', ['on Sunday morning'], {}],
  ['who can fix my roof this weekend in nelson', 'who can fix my roof in nelson', ['this weekend'], {}],
  ['gardener available this week', 'gardener', ['available this week'], { available: true }],
  ['verified sparky with photos', 'sparky', ['verified', 'with photos'], { verified: true, photos: true }],
  ['licensed insured gasfitter', 'gasfitter', ['licensed', 'insured'], { licensed: true, insured: true }],
  ['fully licensed and insured roofer', 'roofer', ['fully licensed and insured'], { licensed: true, insured: true }],
  ['qualified painter', 'painter', ['qualified'], {}],
  ['best rated painter', 'painter', ['best rated'], {}],
  ['plumber no minimum charge', 'plumber', ['no minimum charge'], { noMinimumCharge: true }],
])('“%s” is “%s” with the wishes %j', (text, rest, wishes, values) => {
  const read = readWishes(text);
  expect([read.rest, read.wishes.map((one) => one.text)]).toEqual([rest, wishes]);
  expect(mergeWishes(read.wishes)).toEqual(values);
});

test.each(['spring cleaning napier', 'plumber within 10 km', 'painter up to 100 km', 'top soil delivery', 'week', 'Nowra plumber', ''])(
  '“%s” has no wishes',
  (text) => {
    expect(readWishes(text)).toEqual({ rest: text, wishes: [] });
  },
);

test('every wish stands in the text word for word, so that it can be removed from it', () => {
  const text = 'Cheap  handyman UNDER $60 per hour, this Weekend';
  for (const wish of readWishes(text).wishes) expect(text).toContain(wish.text);
});

test.each([
  ['plumber on Sunday', ['sun']],
  ['plumber saturday morning', ['sat']],
  ['plumber this weekend', ['sat', 'sun']],
  ['plumber today', ['available']],
  ['same day plumber', ['available']],
  ['plumber tonight', ['emergency']],
  ['plumber next week', []],
  ['insured plumber', []],
])('“%s” prefers %j', (text, prefers) => {
  expect(readWishes(text).wishes.flatMap((one) => one.prefers)).toEqual(prefers);
});
