import type { CountryCode } from '@handwise/contract/markets';
import { findDistrictByCode, findRegionByDistrict } from '@handwise/contract/places/regions';

/** Properties of a place that decide which texts fit it: Perth has no frozen pipes, Hobart no termites. */
export type Trait = CountryCode | (typeof traits)[number];
const traits = [
  'frost',
  'winter',
  'tropics',
  'dry summer',
  'coast',
  'quakes',
  'weatherboard',
  'termites',
  'bushfire',
  'hard water',
  'sand',
  'clay',
  'sulphur',
  'wind',
  'Queenslanders',
] as const;
export type Climate = ReadonlySet<Trait>;

const parseNames = (names: string) => new Set(names.split(',').map((name) => name.trim()));

const tropics =
  parseNames(`Townsville, Cairns, Mackay, Rockhampton, Darwin, Palmerston, Katherine, Nhulunbuy, Tennant Creek, Broome, Port Hedland, Karratha,
  Bundaberg, Hervey Bay`);
// Not tropical, but too warm for frozen pipes and heating.
const subtropics = parseNames('Brisbane, Gold Coast, Sunshine Coast, Toowoomba, Tweed Heads, Geraldton, Alice Springs');
const frosty =
  parseNames(`Hamilton, Matamata-Piako, Ōtorohanga, South Waikato, Taupō, Waipā, Waitomo, Rotorua Lakes, Palmerston North, Manawatū, Rangitīkei, Ruapehu,
  Tararua, Stratford, Carterton, Masterton, South Wairarapa, Upper Hutt, Hastings, Central Hawke's Bay, Ashburton, Christchurch, Hurunui, Mackenzie, Selwyn, Timaru,
  Waimakariri, Waimate, Central Otago, Clutha, Dunedin, Queenstown-Lakes, Waitaki, Gore, Invercargill, Southland District, Tasman, Marlborough, Wagga Wagga, Albury,
  Tamworth, Ballarat, Bendigo, Shepparton, Wodonga, Traralgon, Launceston, New Norfolk, Canberra, Belconnen, Gungahlin, Tuggeranong, Woden Valley, Weston Creek,
  Molonglo Valley`);
const inland =
  parseNames(`Hamilton, Matamata-Piako, Ōtorohanga, South Waikato, Taupō, Waipā, Rotorua Lakes, Palmerston North, Manawatū, Rangitīkei, Ruapehu, Tararua, Stratford,
  Carterton, Masterton, South Wairarapa, Upper Hutt, Mackenzie, Selwyn, Central Otago, Queenstown-Lakes, Gore, Maitland, Wagga Wagga, Albury, Tamworth, Ballarat,
  Bendigo, Melton, Shepparton, Wodonga, Mildura, Traralgon, Toowoomba, Mount Gambier, Gawler, Murray Bridge, Mount Barker, Kalgoorlie, Launceston, New Norfolk, Katherine,
  Alice Springs, Tennant Creek, Canberra, Belconnen, Gungahlin, Tuggeranong, Woden Valley, Weston Creek, Molonglo Valley`);
const calmOnFaults = parseNames('Auckland, Northland');
const bricks = parseNames('Western Australia, South Australia, Australian Capital Territory, Northern Territory');
const drySummers = parseNames(
  "Western Australia, South Australia, Victoria, Tasmania, Australian Capital Territory, Hawke's Bay, Marlborough, Canterbury, Otago, Nelson, Gisborne",
);
const bushfires = parseNames('New South Wales, Victoria, South Australia, Western Australia, Tasmania, Australian Capital Territory');
const hardWaters = parseNames(
  'Adelaide, Perth, Mandurah, Murray Bridge, Port Pirie, Port Augusta, Whyalla, Geraldton, Mount Gambier, Alice Springs',
);
const clays = parseNames('Melbourne, Adelaide, Geelong, Melton, Toowoomba, Mount Barker, Gawler, Shepparton, Wagga Wagga');
const sands = parseNames('Perth, Mandurah, Bunbury, Busselton, Geraldton');
const windy = parseNames(
  'Wellington City, Porirua, Lower Hutt, Christchurch, Selwyn, Waimakariri, Hurunui, Ashburton, Invercargill, New Plymouth',
);

function listTraits(districtCode: number): Climate {
  const district = findDistrictByCode(districtCode)?.name ?? '';
  const { name: region = '', country = 'NZ' } = findRegionByDistrict(districtCode) ?? {};
  const isTropical = tropics.has(district);
  const hasTrait: Record<(typeof traits)[number], boolean> = {
    frost: frosty.has(district),
    winter: !isTropical && !subtropics.has(district) && region !== 'Western Australia',
    tropics: isTropical,
    'dry summer': drySummers.has(region) && !isTropical,
    coast: !inland.has(district),
    quakes: country === 'NZ' && !calmOnFaults.has(region),
    weatherboard: !bricks.has(region),
    termites: country === 'AU' && region !== 'Tasmania',
    bushfire: bushfires.has(region) && !isTropical,
    'hard water': hardWaters.has(district),
    sand: sands.has(district),
    clay: clays.has(district),
    sulphur: district === 'Rotorua Lakes',
    wind: windy.has(district),
    Queenslanders: region === 'Queensland',
  };
  return new Set<Trait>([country, ...traits.filter((trait) => hasTrait[trait])]);
}

const byDistrict = new Map<number, Climate>();
const byTraits = new Map<string, Climate>();
/** Returns the same object for places with the same traits, so that caches can use it as a key. */
export function getClimate(districtCode: number): Climate {
  let climate = byDistrict.get(districtCode);
  if (!climate) {
    const own = listTraits(districtCode);
    const key = [...own].join();
    climate = byTraits.get(key) ?? own;
    byTraits.set(key, climate);
    byDistrict.set(districtCode, climate);
  }
  return climate;
}

// Texts that match a pattern fit only climates that meet its condition.
const needs: readonly (readonly [RegExp, (climate: Climate) => boolean])[] = [
  [
    /Ka pai|Ngā mihi|Kia ora|Gib\b|bach\b|[Tt]ūī|fantail|rimu|macrocarpa|southerly|[Nn]ative tim|[Rr]e-pil|H3\.2|hedgehog|producer statement|[Bb]orer|healthy homes|pumice/,
    (climate) => climate.has('NZ'),
  ],
  [/[Vv]illa|[Ww]eathertight/, (climate) => climate.has('NZ')],
  [/[Ee]arthquake|[Ss]eismic|[Ss]traps\b|\bshakes?\b/, (climate) => climate.has('quakes')],
  [/[Rr]ebate|\bute\b|huge gum|heat before|before the heat/, (climate) => climate.has('AU')],
  [/[Tt]ermite/, (climate) => climate.has('termites')],
  [/[Ff]rost|[Ff]roze|[Ff]reezes|[Ss]now|winteris|crying windows|Condensation/, (climate) => climate.has('frost')],
  [
    /\b[Ww]inters?\b|\bJuly\b|[Hh]eating|[Hh]eater|so warm|[Ww]armer|[Ww]arm, dry|\{t\} warm|warm house|Two degrees|gas fire|[Ff]ires\b|double glazing|[Dd]raughty/,
    (climate) => climate.has('winter'),
  ],
  [
    /[Bb]ack to life|\bautumn\b|in spring|[Mm]oss\b|Fruit trees|[Ff]ruit tree|Apples/,
    (climate) => !climate.has('tropics') && !climate.has('sand'),
  ],
  [/[Dd]ry summer|[Dd]rought/, (climate) => climate.has('dry summer')],
  [/\b[Ss]alt\b|[Ss]ea[- ]|Beach homes|\bsurf\b|[Cc]oastal/, (climate) => climate.has('coast')],
  [/[Ww]eatherboard/, (climate) => climate.has('weatherboard')],
];

// New Zealand words and their Australian equivalents.
const australian: readonly (readonly [RegExp, string])[] = [
  [/[Rr]egistered (electrician|plumber)/g, 'licensed $1'],
  [/Licensed building practitioner/g, 'Licensed builder'],
  [/End-of-tenancy/g, 'End-of-lease'],
  [/end-of-tenancy/g, 'end-of-lease'],
  [/lifestyle[- ]blocks?/g, 'acreage'],
  [/\bkwila\b/g, 'merbau'],
  [/califont/g, 'gas hot water'],
  [/\bhob(s?)\b/g, 'cooktop$1'],
  [/council consent/g, 'council approval'],
  [/[Dd]esign and consents/g, 'Design and approvals'],
  [/Consents and drawings/g, 'Approvals and drawings'],
  [/\bConsents\b/g, 'Approvals'],
  [/\bconsent\b/g, 'approval'],
  [/\bsection\b/g, 'block'],
  [/Section clearing/g, 'Block clearing'],
  [/Heat pump wiring/g, 'Air conditioner wiring'],
  [/heat pump control/g, 'air conditioning control'],
  [/hardly use the heat pump/g, 'hardly use the air conditioner'],
  [/glasshouse/g, 'greenhouse'],
  [/Glasshouse/g, 'Greenhouse'],
];
const toAustralian = (text: string) => {
  const translated = australian.reduce((before, [from, into]) => before.replace(from, into), text);
  return /^[A-Z]/.test(text) ? translated.charAt(0).toUpperCase() + translated.slice(1) : translated;
};

const isFitting = (text: string, climate: Climate) => needs.every(([words, isMet]) => !words.test(text) || isMet(climate));

const cache = new Map<Climate, Map<readonly string[], string[]>>();

/** The texts that fit a place, in its country's words. */
export function filterByClimate(texts: readonly string[], climate: Climate): readonly string[] {
  const ofClimate = cache.get(climate) ?? new Map<readonly string[], string[]>();
  cache.set(climate, ofClimate);
  const before = ofClimate.get(texts);
  if (before) return before;
  const found = texts.filter((text) => isFitting(text, climate)).map((text) => (climate.has('AU') ? toAustralian(text) : text));
  ofClimate.set(texts, found);
  return found;
}
