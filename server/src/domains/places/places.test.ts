import { regionOfCode, regions } from '@handwise/contract/places/regions';
import { fold } from '@handwise/contract/text';
import { expect, test } from 'vitest';
import {
  type Place,
  allLocalities,
  localitiesNear,
  localityBySlug,
  localityOf,
  mainTownOf,
  nearestLocality,
  placesNamed,
  placesStarting,
} from './places.service.ts';

const read = (place: Place) => `${place.kind} ${place.label}${place.corrected ? ' (corrected)' : ''}`;
const firstOf = (text: string, market: 'NZ' | 'AU' | null = null) => placesNamed(text, market).map(read)[0];

test.each([
  ['Cambridge', 'town Cambridge, Waikato'],
  ['taupo', 'district Taupō, Waikato'],
  ['TAUPŌ', 'district Taupō, Waikato'],
  ['Otahuhu', 'town Ōtāhuhu, Auckland'],
  ['hawkes bay', "region Hawke's Bay"],
  ['NSW', 'region New South Wales'],
  ['Auckland', 'region Auckland'],
  ['australia', 'country Australia'],
  ['nz', 'country New Zealand'],
  ['mt eden', 'town Mount Eden, Auckland'],
  ['Nth Ryde', 'town North Ryde, New South Wales'],
  ['Pt. Chevalier', 'town Point Chevalier, Auckland'],
  ['Saint Kilda, Victoria', 'town St Kilda, Victoria'],
  ['st kilda otago', 'town St Kilda, Otago'],
  ['Hamilton', 'district Hamilton, Waikato'],
  ['Hamilton Vic', 'town Hamilton, Victoria'],
  ['hamilton 3204', 'district Hamilton, Waikato'],
  ['3300 hamilton', 'town Hamilton, Victoria'],
  ['Newtown NSW 2042', 'town Newtown, New South Wales'],
  ['Hillcrest, Hamilton', 'town Hillcrest, Waikato'],
  ['Frankton, Queenstown', 'town Frankton, Otago'],
  ['Cambridge New Zealand', 'town Cambridge, Waikato'],
  ['Kāpiti', 'district Kāpiti Coast, Wellington'],
  ['Wellington', 'region Wellington'],
  ['Elizabeth, South Australia', 'town Elizabeth, South Australia'],
  ['3244', 'district Hamilton, Waikato'],
  ['auckland 1148', 'region Auckland'],
])('“%s” is %s', (text, expected) => {
  expect(firstOf(text)).toBe(expected);
});

test.each([
  ['Cambrige', 'town Cambridge, Waikato (corrected)'],
  ['wangarei', 'district Whangārei, Northland (corrected)'],
  ['Tuaranga', 'district Tauranga, Bay of Plenty (corrected)'],
  ['Papmoa', 'town Pāpāmoa, Bay of Plenty (corrected)'],
  ['Chirstchruch', 'district Christchurch, Canterbury (corrected)'],
  ['Cambrige, tas', 'town Cambridge, Tasmania (corrected)'],
  // Wellington is two errors away.
  ['Wallingtonn', 'town Wallington, Victoria (corrected)'],
])('“%s” is mended to %s', (text, expected) => {
  expect(firstOf(text)).toBe(expected);
});

test.each(['Cambridge, Victoria', 'Hmltn', 'Bde', 'the moon', '', '   ', '!?', '9999'])('“%s” names no place', (text) => {
  expect(placesNamed(text, null)).toEqual([]);
});

test('a market has its own places only', () => {
  expect(firstOf('Cambridge', 'AU')).toBe('town Cambridge, Tasmania');
  expect(firstOf('Hamilton', 'AU')).toBe('town Hamilton, Queensland');
  expect(placesNamed('Brisbane', 'NZ').filter((place) => !place.corrected)).toEqual([]);
  expect(placesStarting('bris', 'NZ', 8)).toEqual([]);
});

test.each([
  ['bal', 'NZ', 'AU', 'Balclutha'],
  ['arm', 'NZ', 'AU', 'Army Bay'],
  ['wa', 'AU', 'NZ', 'Wagga Wagga'],
] as const)('“%s” suggests places of %s though eight of %s come before them', (prefix, market, other, name) => {
  expect(placesStarting(prefix, null, 8).map(({ country }) => country)).toEqual(Array(8).fill(other));
  expect(placesStarting(prefix, market, 8).map((place) => place.name)).toContain(name);
});

test('of one name the bigger comes first, and a label says which it is', () => {
  expect(placesNamed('Richmond', null).map(read).slice(0, 3)).toEqual([
    'town Richmond, Victoria',
    'town Richmond, Tasman',
    'town Richmond, New South Wales',
  ]);
  expect(new Set(placesNamed('Kingswood, NSW', null).map((place) => place.label)).size).toBe(3);
});

test('a district stands for the town that bears its name, and so does a region', () => {
  expect(placesNamed('Taupō', null).map(read)).toEqual(['district Taupō, Waikato']);
  expect(placesNamed('Auckland', null).map(read)).toEqual(['region Auckland']);
});

test('every locality is found by its name with its region and postcode: itself, or the district that bears its name', () => {
  const lost = allLocalities().filter((one) => {
    const found = placesNamed(`${one.name}, ${regionOfCode(one.regionCode)?.name} ${one.postcodes[0]}`, one.country);
    return !found.some((place) => place.localityCode === one.code || (place.kind !== 'town' && fold(place.name) === fold(one.name)));
  });
  expect(lost.map((one) => one.name)).toEqual([]);
});

test('long and hostile texts are read to an end', () => {
  for (const text of [
    'nsw '.repeat(500),
    '3204 '.repeat(500),
    'ō'.repeat(5000),
    'a '.repeat(60),
    ', '.repeat(60),
    `Cambridge${' Waikato'.repeat(11)}`,
  ]) {
    expect(placesNamed(text, null).length).toBeLessThanOrEqual(10);
    expect(placesStarting(text, null, 5).length).toBeLessThanOrEqual(5);
  }
});

test('a postcode names its localities, the biggest first', () => {
  expect(placesNamed('3434', 'NZ').map(read)).toEqual(['town Cambridge, Waikato', 'town Leamington, Waikato', 'town Tamahere, Waikato']);
});

test.each([
  ['cam', 'Cambridge, Waikato'],
  ['hamilton wai', 'Hamilton, Waikato'],
  ['Whang', 'Whangārei, Northland'],
])('“%s” begins %s', (prefix, label) => {
  expect(placesStarting(prefix, 'NZ', 5).map((place) => place.label)).toContain(label);
});

test('names that begin so: as many as asked for, the biggest kind first', () => {
  expect(placesStarting('wel', null, 3).map((place) => place.kind)).toEqual(['region', 'district', 'town']);
  expect(placesStarting('', null, 3)).toEqual([]);
});

test('what is near is found over 180° as well', () => {
  const cambridge = localitiesNear({ latitude: -37.89, longitude: 175.47 }, 3);
  expect(cambridge.map(({ locality }) => locality.name)).toEqual(['Cambridge', 'Leamington', 'Hautapu']);
  expect(cambridge[0]?.km).toBe(0);
  expect(nearestLocality({ latitude: -43.9, longitude: 179.99 })?.locality.name).toBe('Waitangi');
  expect(nearestLocality({ latitude: -27.47, longitude: 153.02 })?.locality.districtCode).toBe(1901);
});

test('each district has a main town in it, its namesake where there is one', () => {
  for (const district of regions.flatMap((region) => region.districts)) expect(mainTownOf(district.code)?.districtCode).toBe(district.code);
  const nameOf = (districtCode: number) => mainTownOf(districtCode)?.name;
  expect([301, 309, 1702, 1901, 1903].map(nameOf)).toEqual(['Hamilton', 'Cambridge', 'Newcastle', 'Brisbane City', 'Maroochydore']);
});

test('an address stands for one locality, with the postcode where two of a region share a name', () => {
  expect(localityBySlug(3, 'cambridge')?.name).toBe('Cambridge');
  expect(localityBySlug(17, 'kingswood')).toBeUndefined();
  expect(localityBySlug(17, 'kingswood-2747')?.postcodes).toEqual(['2747']);
  const cambridge = localityBySlug(3, 'cambridge');
  expect(localityOf(cambridge?.code ?? 0)).toBe(cambridge);
});
