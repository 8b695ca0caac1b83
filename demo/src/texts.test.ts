import { expect, test } from 'vitest';
import { categories } from '@handwise/contract/listings/categories';
import { findDistrict, regions } from '@handwise/contract/places/regions';
import { fold } from '@handwise/contract/text';
import { listLocalities } from '@handwise/server/domains/places/places.service';
import { demoSeed, generateDemo } from './generate.ts';
import type { DemoListing } from './listings.ts';
import { cities } from './market.ts';
import { regionalFacts } from './words-regions.ts';

const demo = generateDemo(demoSeed, new Date('2026-11-21T03:00:00Z'));
const active = demo.listings
  .filter(({ row }) => row.status === 'active')
  .toSorted(({ row: one }, { row: other }) => other.plan_rank - one.plan_rank || other.listing_number - one.listing_number);
const codeOf = (district: string) => findDistrict(district)?.district.code;

/** The lists of the site, sorted as there. */
function listsOfPages(): [string, DemoListing[]][] {
  const lists = new Map<string, DemoListing[]>();
  for (const listing of active) {
    const { country, region_code, district_code, category_code, sub_category_code } = listing.row;
    for (const place of ['everywhere', country, region_code, district_code])
      for (const kind of ['all', `group ${category_code}`, `sub ${sub_category_code}`]) {
        const name = `${kind} in ${place}`;
        lists.set(name, [...(lists.get(name) ?? []), listing]);
      }
  }
  return [...lists];
}
const pages = listsOfPages().flatMap(([name, list]) =>
  Array.from({ length: Math.ceil(list.length / 20) }, (_, page) => ({ name, page, cards: list.slice(page * 20, page * 20 + 20) })),
);

const repeated = (texts: readonly string[]) =>
  [...Map.groupBy(texts, (text) => text)].filter(([, all]) => all.length > 1).map(([text]) => text);

/** A text without names and numbers, so that the same sentence about another business compares equal. */
function bare(text: string, { row, town, region, owner }: DemoListing): string {
  const own = [row.business_title, region, town, owner].map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text.replaceAll(new RegExp(own.join('|'), 'gi'), '·').replaceAll(/\d+/g, '#');
}
const firstSentence = (listing: DemoListing) => bare(listing.row.service_description, listing).split(/(?<=[.?!]) |\n/)[0] ?? '';

const largestCities = Object.keys(cities);

test('each of the twelve cities has an active listing per sub-category', () => {
  for (const city of largestCities) {
    const there = new Set(active.filter(({ row }) => row.district_code === codeOf(city)).map(({ subCode }) => subCode));
    const missing = categories.flatMap((category) => category.subCategories).filter(({ code }) => !there.has(code));
    expect([city, missing.map(({ name }) => name)]).toEqual([city, []]);
  }
});

test('about 8 % of the active listings are featured and 22 % premium, also per category and large city', () => {
  const shareOf = (list: readonly DemoListing[], rank: number) => list.filter(({ row }) => row.plan_rank === rank).length / list.length;
  expect(shareOf(active, 3)).toBeCloseTo(0.08, 1.6);
  expect(shareOf(active, 2)).toBeCloseTo(0.22, 1.6);
  const lists = [
    ...Map.groupBy(active, ({ row }) => `group ${row.category_code}`),
    ...largestCities.map((city) => [city, active.filter(({ row }) => row.district_code === codeOf(city))] as const),
  ];
  for (const [name, list] of lists) {
    // A group with 60 listings has five featured ones; two more or fewer are chance.
    const isNear = (rank: number, share: number) => Math.abs(shareOf(list, rank) - share) * list.length < 2 + list.length * 0.05;
    expect([name, isNear(3, 0.08), isNear(2, 0.22)]).toEqual([name, true, true]);
  }
});

test('no page of 20 repeats a title, a description or its first sentence', () => {
  for (const { name, page, cards } of pages) {
    const where = `${name}, page ${page + 1}`;
    expect([where, repeated(cards.map(({ row }) => row.service_title.toLowerCase()))]).toEqual([where, []]);
    expect([where, repeated(cards.map(({ row }) => row.service_description))]).toEqual([where, []]);
    expect([where, repeated(cards.map(firstSentence))]).toEqual([where, []]);
  }
});

test('writes unique titles', () => {
  expect(repeated(demo.listings.map(({ row }) => row.service_title.toLowerCase()))).toEqual([]);
});

test('repeats no first sentence or review in a town', () => {
  const titles = new Map(demo.listings.map(({ row }) => [row.id, row]));
  for (const [town, listings] of Map.groupBy(active, ({ row }) => row.district_code)) {
    expect([town, repeated(listings.map(firstSentence))]).toEqual([town, []]);
  }
  for (const [town, reviews] of Map.groupBy(demo.reviews, (review) => titles.get(review.listing_id)?.district_code))
    expect([town, repeated(reviews.map(({ comment }) => comment))]).toEqual([town, []]);
});

test('business names are unique, and no page of a category shows a business twice', () => {
  const owners = new Map<string, Set<string>>();
  for (const { row } of demo.listings) {
    const name = fold(row.business_title);
    owners.set(name, (owners.get(name) ?? new Set()).add(row.seller_id));
  }
  for (const [name, sellers] of owners) expect([name, sellers.size]).toEqual([name, 1]);
  for (const { name, cards } of pages.filter(({ name }) => !name.startsWith('all')))
    expect([name, repeated(cards.map(({ row }) => row.seller_id))]).toEqual([name, []]);
});

test('the first page of a listing’s reviews repeats no sentence', () => {
  const listings = new Map(demo.listings.map((listing) => [listing.row.id, listing]));
  for (const [id, reviews] of Map.groupBy(demo.reviews, (review) => review.listing_id)) {
    const newest = reviews.toSorted((one, other) => other.created_at.localeCompare(one.created_at)).slice(0, 20);
    const sentences = newest.flatMap(({ comment }) => bare(comment, listings.get(id) as DemoListing).split(/(?<=[.?!]) /));
    const twice = repeated(sentences.filter((sentence) => sentence.length > 30));
    expect([id, twice]).toEqual([id, []]);
  }
});

const wordsIn = ({ row }: DemoListing) =>
  [row.service_title, row.service_description, row.services.join('\n'), row.business_info].join('\n');
const textsByListing = new Map(demo.listings.map((listing) => [listing.row.id, [wordsIn(listing)]]));
for (const { listing_id, comment } of demo.reviews) textsByListing.get(listing_id)?.push(comment);
for (const { listing_id, body } of demo.messages) textsByListing.get(listing_id)?.push(body);

test.each<[string, RegExp, (place: { country: string; region: string; district: string }) => boolean]>([
  [
    'frozen pipes',
    /frozen|froze\b|frost/i,
    ({ region }) => !/^(?:Western Australia|Northern Territory|Queensland|Auckland|Northland)$/.test(region),
  ],
  [
    'heating in the tropics',
    /heating|draught|before winter|warm, dry/i,
    ({ region }) => !/^(?:Northern Territory|Queensland)$/.test(region),
  ],
  ['cyclones', /cyclone/i, ({ region }) => /^(?:Western Australia|Northern Territory|Queensland)$/.test(region)],
  ['earthquakes', /earthquake|seismic/i, ({ country, region }) => country === 'NZ' && !/^(?:Auckland|Northland)$/.test(region)],
  ['bushfires', /bushfire/i, ({ country, region }) => country === 'AU' && region !== 'Northern Territory'],
  ['termites', /termite/i, ({ country, region }) => country === 'AU' && region !== 'Tasmania'],
  ['borer and leaky walls', /\bborer\b|leaky/i, ({ country }) => country === 'NZ'],
  ['words of Aotearoa', /kia ora|ngā mihi|ka pai|\bvillas?\b|\bGib\b|\bbach\b/i, ({ country }) => country === 'NZ'],
  ['rebates and utes', /rebate|\bute\b/i, ({ country }) => country === 'AU'],
])('mentions %s only where they exist', (_, words, exists) => {
  const places = new Map(regions.flatMap((region) => region.districts.map((district) => [district.code, { region, district }] as const)));
  let found = 0;
  for (const { row, town } of demo.listings) {
    const place = places.get(row.district_code);
    const text = (textsByListing.get(row.id) ?? []).join('\n').replaceAll(row.business_title, '');
    if (!place || !words.test(text)) continue;
    found += 1;
    const where = { country: row.country, region: place.region.name, district: place.district.name };
    expect([town, words.exec(text)?.[0], exists(where)]).toEqual([town, words.exec(text)?.[0], true]);
  }
  expect(found).toBeGreaterThan(0);
});

test('uses most regional facts', () => {
  const all = demo.listings.map(({ row, region }) => row.service_description.replaceAll(region, '{r}')).join('\n');
  const missing = regionalFacts.filter(({ text }) => !all.includes(text)).map(({ where, text }) => `${where}: ${text}`);
  expect(missing.length).toBeLessThan(regionalFacts.length / 5);
});

test('writes places and Māori words with their macrons', () => {
  const spelt = new Map<string, string>();
  for (const name of [
    ...listLocalities().map((one) => one.name),
    ...regions.flatMap((region) => [region.name, ...region.districts.map((one) => one.name)]),
  ])
    if (/[āēīōū]/i.test(name) && name.length > 4) spelt.set(name.normalize('NFD').replaceAll('\u0304', ''), name);
  const withMacron = [
    ...spelt.keys(),
    'Maori',
    'Kowhai',
    'Tui',
    'Kereru',
    'Pohutukawa',
    'Manuka',
    'Totara',
    'Nikau',
    'Rata',
    'Piwakawaka',
    'Matai',
    'Takahe',
    'Nga mihi',
  ];
  const bareWords = new RegExp(`(?<![\\p{L}'])(?:${withMacron.join('|')})(?!\\p{L})`, 'u');
  // Names without macrons of their own.
  const names = new Set(['Te Aroha', 'Karaka']);
  for (const listing of demo.listings.filter(({ country }) => country === 'NZ')) {
    const found = bareWords.exec([wordsIn(listing), listing.row.business_title, listing.town].join('\n'))?.[0];
    expect([listing.town, found === undefined || names.has(found) ? null : found]).toEqual([listing.town, null]);
  }
});

test('adjacent cards of a city or region rarely show the same scene', () => {
  const neighbours = pages
    .filter(({ name }) => /^(?:all|group \d+) in \d+$/.test(name))
    .flatMap(({ cards }) => cards.slice(1).map((card, at) => [cards[at]?.pictures[0]?.kind, card.pictures[0]?.kind]));
  const shown = neighbours.filter(([one, other]) => one !== undefined && other !== undefined);
  expect(shown.filter(([one, other]) => one === other).length / shown.length).toBeLessThan(0.06);
});

test('the cover of a maintenance listing shows what its title names: a ladder at the gutters, or the garden', () => {
  const maintained = demo.listings.filter(({ subCode, pictures }) => subCode === 1203 && pictures.length > 0);
  const covers = (named: RegExp, other: RegExp) =>
    new Set(
      maintained.flatMap(({ row, pictures }) =>
        named.test(row.service_title) && !other.test(row.service_title) ? [pictures[0]?.kind] : [],
      ),
    );
  const [atTheHouse, garden] = [/gutter|house wash|blasting/i, /garden/i];
  expect(covers(atTheHouse, garden)).toEqual(new Set(['house-ladder']));
  expect(covers(garden, atTheHouse)).toEqual(new Set(['garden-path']));
});

test('covers show the work, not just a house', () => {
  const covers = active.map(({ pictures, subCode }) => `${subCode} ${pictures[0]?.kind}`);
  expect(covers.filter((cover) => / (?:house|room-plain|house-van)$/.test(cover))).toEqual([]);
});
