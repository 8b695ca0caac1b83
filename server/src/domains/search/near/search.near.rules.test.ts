import fc from 'fast-check';
import { expect, test } from 'vitest';
import { legsNear, type Ring, stretchesOf } from './search.near.rules.ts';

test('beyond the distance that is asked for counts who comes all the way, not who comes nearly so far', () => {
  const cells = [
    { code: 1, km: 25 },
    { code: 2, km: 25.01 },
    { code: 3, km: 60.4 },
  ];
  expect(legsNear(cells, 25).map(({ code, least }) => [code, least])).toEqual([
    [1, 0],
    [2, 26],
    [3, 61],
  ]);
});

test('every page takes its part of each ring, and counts it from the end where that is nearer', () => {
  const totals = fc.array(fc.integer({ min: 1, max: 12 }), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(totals, fc.nat({ max: 40 }), fc.integer({ min: 1, max: 9 }), (ofRings, skip, take) => {
      const rings = ofRings.map((total, km): Ring => ({
        km,
        total,
        legs: [],
      }));
      const all = rings.flatMap(({ km, total }) => Array.from({ length: total }, (_, at) => `${km} ${at}`));
      const stretches = stretchesOf(rings, { skip, take });
      const taken = stretches.flatMap(({ ring: { km, total }, fromEnd, ...part }) => {
        const begin = fromEnd ? total - part.skip - part.take : part.skip;
        return Array.from({ length: part.take }, (_, at) => `${km} ${begin + at}`);
      });
      expect(taken).toEqual(all.slice(skip, skip + take));
      for (const { ring, ...part } of stretches) expect(part.skip).toBeLessThanOrEqual((ring.total - part.take) / 2);
    }),
    { numRuns: 200, seed: 42 },
  );
});
