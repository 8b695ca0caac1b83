import type { CountryCode } from '../markets.ts';
import { markets } from '../markets.ts';
import { fold, slug } from '../text.ts';

export type District = { code: number; name: string; slug: string };
export type Region = {
  code: number;
  name: string;
  slug: string;
  abbreviation?: string;
  country: CountryCode;
  timeZone: string;
  districts: readonly District[];
};

// New Zealand has one time zone here, because the Chatham Islands are no region. Each state of Australia has its own.
const stateTimeZones: Partial<Record<string, string>> = {
  NSW: 'Australia/Sydney',
  VIC: 'Australia/Melbourne',
  QLD: 'Australia/Brisbane',
  SA: 'Australia/Adelaide',
  WA: 'Australia/Perth',
  TAS: 'Australia/Hobart',
  NT: 'Australia/Darwin',
  ACT: 'Australia/Sydney',
};

// Codes are stored in the database: append, never renumber. A district's code is its region's × 100 + its position.
const createRegion = (code: number, country: CountryCode, name: string, districts: string[], abbreviation?: string): Region => ({
  code,
  name,
  slug: slug(name),
  ...(abbreviation && { abbreviation }),
  country,
  timeZone: stateTimeZones[abbreviation ?? ''] ?? markets[country].timeZone,
  districts: districts.map((district, index) => ({ code: code * 100 + index + 1, name: district, slug: slug(district) })),
});

/**
 * New Zealand: the 16 regions with the 67 territorial authorities, each in the region where most of its people live; the Chatham Islands
 * are listed under Canterbury, which serves them. Australia: the 8 states and territories with their largest cities.
 */
export const regions: readonly Region[] = [
  createRegion(1, 'NZ', 'Northland', ['Far North', 'Kaipara', 'Whangārei']),
  createRegion(2, 'NZ', 'Auckland', ['Auckland']),
  createRegion(3, 'NZ', 'Waikato', [
    'Hamilton',
    'Hauraki',
    'Matamata-Piako',
    'Ōtorohanga',
    'South Waikato',
    'Taupō',
    'Thames-Coromandel',
    'Waikato District',
    'Waipā',
    'Waitomo',
  ]),
  createRegion(4, 'NZ', 'Bay of Plenty', ['Kawerau', 'Ōpōtiki', 'Rotorua Lakes', 'Tauranga', 'Western Bay of Plenty', 'Whakatāne']),
  createRegion(5, 'NZ', 'Gisborne', ['Gisborne']),
  createRegion(6, 'NZ', "Hawke's Bay", ["Central Hawke's Bay", 'Hastings', 'Napier', 'Wairoa']),
  createRegion(7, 'NZ', 'Taranaki', ['New Plymouth', 'South Taranaki', 'Stratford']),
  createRegion(8, 'NZ', 'Manawatū-Whanganui', [
    'Horowhenua',
    'Manawatū',
    'Palmerston North',
    'Rangitīkei',
    'Ruapehu',
    'Tararua',
    'Whanganui',
  ]),
  createRegion(9, 'NZ', 'Wellington', [
    'Carterton',
    'Kāpiti Coast',
    'Lower Hutt',
    'Masterton',
    'Porirua',
    'South Wairarapa',
    'Upper Hutt',
    'Wellington City',
  ]),
  createRegion(10, 'NZ', 'Tasman', ['Tasman']),
  createRegion(11, 'NZ', 'Nelson', ['Nelson']),
  createRegion(12, 'NZ', 'Marlborough', ['Marlborough']),
  createRegion(13, 'NZ', 'West Coast', ['Buller', 'Grey', 'Westland']),
  createRegion(14, 'NZ', 'Canterbury', [
    'Ashburton',
    'Christchurch',
    'Hurunui',
    'Kaikōura',
    'Mackenzie',
    'Selwyn',
    'Timaru',
    'Waimakariri',
    'Waimate',
    'Chatham Islands',
  ]),
  createRegion(15, 'NZ', 'Otago', ['Central Otago', 'Clutha', 'Dunedin', 'Queenstown-Lakes', 'Waitaki']),
  createRegion(16, 'NZ', 'Southland', ['Gore', 'Invercargill', 'Southland District']),
  createRegion(
    17,
    'AU',
    'New South Wales',
    [
      'Sydney',
      'Newcastle',
      'Central Coast',
      'Wollongong',
      'Maitland',
      'Tweed Heads',
      'Wagga Wagga',
      'Albury',
      'Port Macquarie',
      'Tamworth',
    ],
    'NSW',
  ),
  createRegion(
    18,
    'AU',
    'Victoria',
    ['Melbourne', 'Geelong', 'Ballarat', 'Bendigo', 'Melton', 'Shepparton', 'Wodonga', 'Mildura', 'Warrnambool', 'Traralgon'],
    'VIC',
  ),
  createRegion(
    19,
    'AU',
    'Queensland',
    ['Brisbane', 'Gold Coast', 'Sunshine Coast', 'Townsville', 'Cairns', 'Toowoomba', 'Mackay', 'Rockhampton', 'Bundaberg', 'Hervey Bay'],
    'QLD',
  ),
  createRegion(
    20,
    'AU',
    'South Australia',
    [
      'Adelaide',
      'Mount Gambier',
      'Gawler',
      'Whyalla',
      'Murray Bridge',
      'Port Lincoln',
      'Port Pirie',
      'Victor Harbor',
      'Port Augusta',
      'Mount Barker',
    ],
    'SA',
  ),
  createRegion(
    21,
    'AU',
    'Western Australia',
    ['Perth', 'Mandurah', 'Bunbury', 'Geraldton', 'Kalgoorlie', 'Albany', 'Busselton', 'Broome', 'Port Hedland', 'Karratha'],
    'WA',
  ),
  createRegion(
    22,
    'AU',
    'Tasmania',
    ['Hobart', 'Launceston', 'Devonport', 'Burnie', 'Kingston', 'Ulverstone', 'George Town', 'Wynyard', 'New Norfolk', 'Sorell'],
    'TAS',
  ),
  createRegion(23, 'AU', 'Northern Territory', ['Darwin', 'Palmerston', 'Alice Springs', 'Katherine', 'Nhulunbuy', 'Tennant Creek'], 'NT'),
  createRegion(
    24,
    'AU',
    'Australian Capital Territory',
    ['Canberra', 'Belconnen', 'Gungahlin', 'Tuggeranong', 'Woden Valley', 'Weston Creek', 'Molonglo Valley'],
    'ACT',
  ),
];

const regionByCode = new Map(regions.map((one) => [one.code, one]));
const districtByCode = new Map(regions.flatMap((one) => one.districts).map((district) => [district.code, district]));
const regionByText = new Map(
  regions.flatMap(
    (one) => [[fold(one.name), one], [one.slug, one], ...(one.abbreviation ? [[fold(one.abbreviation), one] as const] : [])] as const,
  ),
);
const countryByText = new Map(
  Object.entries(markets).flatMap(([code, market]) =>
    [code, market.name, slug(market.name)].map((text) => [fold(text), code as CountryCode] as const),
  ),
);

/** The time zone of a listing's dates. */
export const getRegionTimeZone = (code: number, country: CountryCode) => regionByCode.get(code)?.timeZone ?? markets[country].timeZone;
export const findRegionByCode = (code: number) => regionByCode.get(code);

export const getRegionCode = (districtCode: number) => Math.floor(districtCode / 100);

export const findRegionByDistrict = (districtCode: number) => regionByCode.get(getRegionCode(districtCode));
export const findDistrictByCode = (code: number) => districtByCode.get(code);
export const listRegions = (country: CountryCode) => regions.filter((one) => one.country === country);

/** Finds a country by code, name or slug, whatever the case. */
export const findCountry = (text: string) => countryByText.get(fold(text.trim()));

/** Finds a region by name, slug or abbreviation, with or without macrons. Region names are unique over both countries. */
export const findRegion = (text: string) => regionByText.get(fold(text.trim()));

/** Finds a district by name or slug, with or without macrons, in one region or in all: names are unique over both countries. */
export function findDistrict(text: string, within: readonly Region[] = regions): { district: District; region: Region } | undefined {
  const wanted = fold(text.trim());
  for (const region of within) {
    const district = region.districts.find((one) => fold(one.name) === wanted || one.slug === wanted);
    if (district) return { district, region };
  }
  return undefined;
}

/** The location as the API and the listing write it: "district, region, country", smallest first. */
export const formatLocation = (place: { district: string; region: string; country: CountryCode }) =>
  [place.district, place.region, markets[place.country].name].join(', ');
