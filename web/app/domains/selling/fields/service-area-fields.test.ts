import { regions } from '@handwise/contract/places/regions';
import { describe, expect, test } from 'vitest';
import { findTown, listNeighbours } from './service-area-fields.tsx';

const named = (name: string) => {
  const region = regions.find((one) => one.name === name);
  if (!region) throw new Error(name);
  return listNeighbours(region).map((one) => one.name);
};

test('has symmetric neighbours within the country for each region', () => {
  for (const region of regions) {
    const neighbours = listNeighbours(region);
    expect([region.name, neighbours.length > 0]).toEqual([region.name, true]);
    for (const other of neighbours) {
      expect([region.name, other.country]).toEqual([region.name, region.country]);
      expect(listNeighbours(other)).toContain(region);
      expect(other).not.toBe(region);
    }
  }
});

test('lists five neighbours of Waikato, and only Auckland for Northland', () => {
  expect(named('Waikato')).toEqual(['Auckland', 'Bay of Plenty', "Hawke's Bay", 'Taranaki', 'Manawatū-Whanganui']);
  expect(named('Northland')).toEqual(['Auckland']);
});

describe('the town that a text names', () => {
  const town = (base: string, region: string) => ({
    name: base,
    label: `${base}, ${region}`,
    base,
    region,
    district: region,
    country: 'NZ' as const,
  });
  const towns = [town('Taupō', 'Waikato'), town('Taupō Bay', 'Northland'), town('Newtown', 'Wellington'), town('Newtown', 'Victoria')];
  test.each([
    ['Taupō, Waikato', false, 'Waikato'],
    ['newtown, victoria', false, 'Victoria'],
    // More may follow.
    ['Taupo', false, undefined],
    ['Taupo', true, 'Waikato'],
    ['taupo bay', true, 'Northland'],
    // Several have this name, so it is asked about.
    ['Newtown', true, undefined],
    ['Taup', true, undefined],
    ['', true, undefined],
  ])('%j, left: %s, is in %s', (text, isLeft, region) => {
    expect(findTown(towns, text, isLeft)?.region).toBe(region);
  });
});
