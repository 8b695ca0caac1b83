import { kmBetween } from '@handwise/contract/localities';
import { regions } from '@handwise/contract/places';
import { expect, test } from 'vitest';
import { allLocalities } from '../../places/places.service.ts';
import { cellOf, cellsWithin } from './search.cells.ts';

const codes = [...allLocalities().map(({ code }) => code), ...regions.flatMap(({ districts }) => districts.map(({ code }) => -code))];
const cells = codes.flatMap((code) => cellOf(code) ?? []);

test.each([
  ['Sydney', -33.87, 151.21],
  ['Invercargill', -46.41, 168.35],
  ['the Chatham Islands, beyond the date line', -43.95, -176.56],
  ['the sea on the other side of the date line', -40, 179.9],
  ['Darwin', -12.46, 130.84],
])('around %s all that lies within a distance is found, and nothing else', (_, latitude, longitude) => {
  for (const km of [5, 40, 200, 700]) {
    const expected = cells.filter((cell) => kmBetween({ latitude, longitude }, cell) <= km).map(({ code }) => code);
    const found = cellsWithin({ latitude, longitude }, km).map(({ cell }) => cell.code);
    expect(found.toSorted((one, other) => one - other)).toEqual(expected.toSorted((one, other) => one - other));
  }
});
