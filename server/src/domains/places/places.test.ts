import { expect, test } from 'vitest';
import { findRegionByCode, regions } from '@handwise/contract/places/regions';
import { fold } from '@handwise/contract/text';
import { firstNames } from './places.other-names.ts';
import {
  type Place,
  listLocalities,
  listNearestLocalities,
  findLocalityBySlug,
  findLocality,
  findMainTown,
  findNearestLocality,
  listPlacesByName,
  listPlacesByPrefix,
} from './places.service.ts';

const read = (place: Place) => `${place.kind} ${place.label}${place.corrected ? ' (corrected)' : ''}`;
const firstOf = (text: string, market: 'NZ' | 'AU' | null = null) => listPlacesByName(text, market).map(read)[0];

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
])('finds “%s” as %s', (text, expected) => {
  expect(firstOf(text)).toBe(expected);
});

test.each([
  ['Cambrige', 'town Cambridge, Waikato (corrected)'],
  ['wangarei', 'district Whangārei, Northland (corrected)'],
  ['Tuaranga', 'district Tauranga, Bay of Plenty (corrected)'],
  ['Papmoa', 'town Pāpāmoa, Bay of Plenty (corrected)'],
  ['Chirstchruch', 'district Christchurch, Canterbury (corrected)'],
  ['Cambrige, tas', 'town Cambridge, Tasmania (corrected)'],
  // Wellington would take two corrections.
  ['Wallingtonn', 'town Wallington, Victoria (corrected)'],
])('corrects “%s” to %s', (text, expected) => {
  expect(firstOf(text)).toBe(expected);
});

test.each(['Cambridge, Victoria', 'Hmltn', 'Bde', 'the moon', '', '   ', '!?', '9999'])('finds no place for “%s”', (text) => {
  expect(listPlacesByName(text, null)).toEqual([]);
});

test('finds only places of the market', () => {
  expect(firstOf('Cambridge', 'AU')).toBe('town Cambridge, Tasmania');
  expect(firstOf('Hamilton', 'AU')).toBe('town Hamilton, Queensland');
  expect(listPlacesByName('Brisbane', 'NZ').filter((place) => !place.corrected)).toEqual([]);
  expect(listPlacesByPrefix('bris', 'NZ', 8)).toEqual([]);
});

test.each([
  ['bal', 'NZ', 'AU', 'Balclutha'],
  ['arm', 'NZ', 'AU', 'Army Bay'],
  ['wa', 'AU', 'NZ', 'Wagga Wagga'],
] as const)('“%s” suggests places of %s though eight of %s come before them', (prefix, market, other, name) => {
  expect(listPlacesByPrefix(prefix, null, 8).map(({ country }) => country)).toEqual(Array(8).fill(other));
  expect(listPlacesByPrefix(prefix, market, 8).map((place) => place.name)).toContain(name);
});

test('lists places of one name by size, with distinct labels', () => {
  expect(listPlacesByName('Richmond', null).map(read).slice(0, 3)).toEqual([
    'town Richmond, Victoria',
    'town Richmond, Tasman',
    'town Richmond, New South Wales',
  ]);
  expect(new Set(listPlacesByName('Kingswood, NSW', null).map((place) => place.label)).size).toBe(3);
});

test.each([
  ['Newtown', 'NZ', 'Newtown, Wellington', 'AU', 'Newtown, New South Wales'],
  ['Richmond', 'NZ', 'Richmond, Tasman', 'AU', 'Richmond, Victoria'],
  ['Brighton', 'NZ', 'Brighton, Canterbury', 'AU', 'Brighton, Victoria'],
] as const)('puts the %s of the preferred country first and keeps the other', (name, one, first, other, second) => {
  expect(listPlacesByName(name, null, one)[0]?.label).toBe(first);
  expect(listPlacesByName(name, null, other)[0]?.label).toBe(second);
  expect(listPlacesByName(name, null, one).map(({ label }) => label)).toContain(second);
});

test('a state of the other country comes before a small suburb of the preferred one, but not before a town', () => {
  expect(listPlacesByName('Victoria', null, 'NZ')[0]).toMatchObject({ kind: 'region', country: 'AU' });
  expect(listPlacesByName('Victoria', null, 'NZ').map(({ country }) => country)).toContain('NZ');
  expect(listPlacesByName('Canterbury', null, 'AU')[0]).toMatchObject({ kind: 'town', country: 'AU' });
});

test('finds a place of the other country that has no namesake in the preferred one', () => {
  expect(listPlacesByName('Parramatta', null, 'NZ')[0]).toMatchObject({ country: 'AU', corrected: false });
});

test('suggests towns of the preferred country first, and the cities of both', () => {
  expect(listPlacesByPrefix('newtow', null, 8, 'NZ')[0]?.label).toBe('Newtown, Wellington');
  expect(listPlacesByPrefix('newtow', null, 8, 'AU')[0]?.label).toBe('Newtown, New South Wales');
  expect(listPlacesByPrefix('syd', null, 8, 'NZ')[0]?.label).toBe('Sydney, New South Wales');
});

test('finds every name in te reo Māori and in Aboriginal languages, with and without macrons and capitals', () => {
  for (const { name, official } of firstNames) {
    const place = listPlacesByName(official, null)[0]?.label;
    for (const typed of [name, fold(name), name.replaceAll('-', ' ').toUpperCase()])
      expect([typed, listPlacesByName(typed, null)[0]?.label]).toEqual([typed, place]);
  }
});

test.each([
  ['otepo', 'Dunedin', 'Ōtepoti'],
  ['tāmaki mak', 'Auckland', 'Tāmaki Makaurau'],
  ['naar', 'Melbourne', 'Naarm'],
  ['te whanganui a t', 'Wellington', 'Te Whanganui-a-Tara'],
])('suggests %s as %s by its name %s', (prefix, name, alsoCalled) => {
  expect(listPlacesByPrefix(prefix, null, 8)[0]).toMatchObject({ name, alsoCalled });
});

test('keeps a suburb with the first name of a city, after the city and by its region', () => {
  expect(listPlacesByName('Warrane', 'AU').map(({ label }) => label)).toEqual(['Sydney, New South Wales', 'Warrane, Tasmania']);
  expect(listPlacesByName('Warrane, Tasmania', 'AU')[0]?.label).toBe('Warrane, Tasmania');
});

test.each([
  ['Queanbeyan', 'New South Wales'],
  ['Karabar', 'New South Wales'],
  ['Googong', 'New South Wales'],
  ['Jerrabomberra', 'New South Wales'],
  ['Hall', 'Australian Capital Territory'],
  ['Oaks Estate', 'Australian Capital Territory'],
  ['Tharwa', 'Australian Capital Territory'],
  ['Tweed Heads', 'New South Wales'],
  ['Coolangatta', 'Queensland'],
  ['Jennings', 'New South Wales'],
  ['Wallangarra', 'Queensland'],
  ['Albury', 'New South Wales'],
  ['Wodonga', 'Victoria'],
  ['Wagga Wagga', 'New South Wales'],
  ['Moama', 'New South Wales'],
  ['Echuca', 'Victoria'],
  ['Pukatja', 'South Australia'],
])('%s, near a state line, is in %s', (name, region) => {
  expect(listPlacesByName(name, 'AU')[0]?.label).toBe(name === region ? name : `${name}, ${region}`);
});

// The straight state lines. Rivers and the Australian Capital Territory are left to the towns above.
const lines: Readonly<Record<number, (latitude: number, longitude: number) => boolean>> = {
  17: (latitude, longitude) => longitude >= 140.99 && (latitude <= -29 || longitude > 148.9),
  18: (_, longitude) => longitude >= 140.96,
  19: (latitude, longitude) => longitude >= (latitude < -26 ? 141 : 138),
  20: (latitude, longitude) => latitude <= -26 && longitude >= 129 && longitude <= 141,
  21: (_, longitude) => longitude <= 129,
  23: (latitude, longitude) => latitude >= -26 && longitude >= 129 && longitude <= 138,
  24: (latitude, longitude) => longitude < 149.2 || latitude > -35.35,
};

test('no locality is across a straight line from its state', () => {
  const across = listLocalities().filter(
    ({ country, regionCode, latitude, longitude }) => country === 'AU' && lines[regionCode]?.(latitude, longitude) === false,
  );
  expect(across.map((one) => `${one.name}, ${one.regionCode} ${one.latitude} ${one.longitude}`)).toEqual([]);
});

test('returns the district or region instead of the town of the same name', () => {
  expect(listPlacesByName('Taupō', null).map(read)).toEqual(['district Taupō, Waikato']);
  expect(listPlacesByName('Auckland', null).map(read)).toEqual(['region Auckland']);
});

test('finds every locality by name, region and postcode, or the district of the same name', () => {
  const lost = listLocalities().filter((one) => {
    const found = listPlacesByName(`${one.name}, ${findRegionByCode(one.regionCode)?.name} ${one.postcodes[0]}`, one.country);
    return !found.some((place) => place.localityCode === one.code || (place.kind !== 'town' && fold(place.name) === fold(one.name)));
  });
  expect(lost.map((one) => one.name)).toEqual([]);
});

test('parses long and hostile texts in bounded time', () => {
  for (const text of [
    'nsw '.repeat(500),
    '3204 '.repeat(500),
    'ō'.repeat(5000),
    'a '.repeat(60),
    ', '.repeat(60),
    `Cambridge${' Waikato'.repeat(11)}`,
  ]) {
    expect(listPlacesByName(text, null).length).toBeLessThanOrEqual(10);
    expect(listPlacesByPrefix(text, null, 5).length).toBeLessThanOrEqual(5);
  }
});

test('lists the localities of a postcode by size', () => {
  expect(listPlacesByName('3434', 'NZ').map(read)).toEqual([
    'town Cambridge, Waikato',
    'town Leamington, Waikato',
    'town Tamahere, Waikato',
  ]);
});

test.each([
  ['cam', 'Cambridge, Waikato'],
  ['hamilton wai', 'Hamilton, Waikato'],
  ['Whang', 'Whangārei, Northland'],
])('completes “%s” to %s', (prefix, label) => {
  expect(listPlacesByPrefix(prefix, 'NZ', 5).map((place) => place.label)).toContain(label);
});

test('lists names with a prefix up to the limit, the biggest kind first', () => {
  expect(listPlacesByPrefix('wel', null, 3).map((place) => place.kind)).toEqual(['region', 'district', 'town']);
  expect(listPlacesByPrefix('', null, 3)).toEqual([]);
});

test('finds nearest localities across 180°', () => {
  const cambridge = listNearestLocalities({ latitude: -37.89, longitude: 175.47 }, 3);
  expect(cambridge.map(({ locality }) => locality.name)).toEqual(['Cambridge', 'Leamington', 'Hautapu']);
  expect(cambridge[0]?.km).toBe(0);
  expect(findNearestLocality({ latitude: -43.9, longitude: 179.99 })?.locality.name).toBe('Waitangi');
  expect(findNearestLocality({ latitude: -27.47, longitude: 153.02 })?.locality.districtCode).toBe(1901);
});

test('finds a main town in each district, its namesake if there is one', () => {
  for (const district of regions.flatMap((region) => region.districts))
    expect(findMainTown(district.code)?.districtCode).toBe(district.code);
  const nameOf = (districtCode: number) => findMainTown(districtCode)?.name;
  expect([301, 309, 1702, 1901, 1903].map(nameOf)).toEqual(['Hamilton', 'Cambridge', 'Newcastle', 'Brisbane City', 'Maroochydore']);
});

test('finds one locality per slug, with the postcode when names are shared in a region', () => {
  expect(findLocalityBySlug(3, 'cambridge')?.name).toBe('Cambridge');
  expect(findLocalityBySlug(17, 'kingswood')).toBeUndefined();
  expect(findLocalityBySlug(17, 'kingswood-2747')?.postcodes).toEqual(['2747']);
  const cambridge = findLocalityBySlug(3, 'cambridge');
  expect(findLocality(cambridge?.code ?? 0)).toBe(cambridge);
});
