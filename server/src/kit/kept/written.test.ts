import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { jsonOf, withMore, writeOnce } from './written.ts';

const asParsed = (answer: unknown) => JSON.parse(JSON.stringify(answer)) as unknown;

test('an answer that is put together from what is written is what all of it comes to at once', () => {
  const part = fc.dictionary(fc.string(), fc.jsonValue());
  const more = fc.record({ why: fc.record({ rank: fc.string() }), distanceKm: fc.double({ noNaN: true }) }, { requiredKeys: ['why'] });
  fc.assert(
    fc.property(fc.array(fc.tuple(part, more, fc.constantFrom('written', 'more', 'plain'))), fc.object(), (parts, rest) => {
      const listings = parts.map(([value, added, how]) => {
        if (how !== 'plain') writeOnce(value);
        return how === 'more' ? withMore(value, added) : value;
      });
      const answer = { total: 7, nothing: undefined, ...rest, listings };
      expect(JSON.parse(jsonOf(answer))).toEqual(asParsed(answer));
    }),
    { numRuns: 300, seed: 42 },
  );
});

test('what is written is not written again, whatever stands beside it', () => {
  const card = { title: 'Leaks', toJSON: vi.fn<() => object>(() => ({ title: 'Leaks' })) };
  writeOnce(card);
  const found = withMore(card, { why: 'the words' });
  const answers = [jsonOf({ listings: [card, found], total: 2 }), jsonOf({ total: 1, listings: [{ title: 'Roofs' }, card] })];
  expect(card.toJSON).toHaveBeenCalledTimes(1);
  expect(answers).toEqual([
    '{"listings":[{"title":"Leaks"},{"title":"Leaks","why":"the words"}],"total":2}',
    '{"total":1,"listings":[{"title":"Roofs"},{"title":"Leaks"}]}',
  ]);
});

test('a list of lists is a list, whatever is written in it', () => {
  const card = { title: 'Leaks' };
  writeOnce(card);
  expect(jsonOf([[card], card])).toBe('[[{"title":"Leaks"}],{"title":"Leaks"}]');
});

test.each([[null], ['text'], [[1, 2]], [{ listings: [] }], [{ listings: null }], [{ at: new Date(0) }]])(
  '%j is as it ever was',
  (answer) => {
    expect(jsonOf(answer)).toBe(JSON.stringify(answer));
  },
);
