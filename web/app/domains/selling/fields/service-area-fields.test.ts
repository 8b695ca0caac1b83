import { regions } from '@handwise/contract/places/regions';
import { expect, test } from 'vitest';
import { listNeighbours } from './service-area-fields.tsx';

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
