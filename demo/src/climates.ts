import type { CountryCode } from '@handwise/contract/markets';
import { districtOfCode, regionOfDistrict } from '@handwise/contract/places/regions';

/** What weather, ground and law make of a place: nobody in Perth thaws pipes, and nobody in Hobart finds termites. */
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

const among = (names: string) => new Set(names.split(',').map((name) => name.trim()));

const tropics =
  among(`Townsville, Cairns, Mackay, Rockhampton, Darwin, Palmerston, Katherine, Nhulunbuy, Tennant Creek, Broome, Port Hedland, Karratha,
  Bundaberg, Hervey Bay`);
// Warm enough that pipes do not freeze and houses are hardly heated, though no tropics.
const subtropics = among('Brisbane, Gold Coast, Sunshine Coast, Toowoomba, Tweed Heads, Geraldton, Alice Springs');
const frosty =
  among(`Hamilton, Matamata-Piako, Ōtorohanga, South Waikato, Taupō, Waipā, Waitomo, Rotorua Lakes, Palmerston North, Manawatū, Rangitīkei, Ruapehu,
  Tararua, Stratford, Carterton, Masterton, South Wairarapa, Upper Hutt, Hastings, Central Hawke's Bay, Ashburton, Christchurch, Hurunui, Mackenzie, Selwyn, Timaru,
  Waimakariri, Waimate, Central Otago, Clutha, Dunedin, Queenstown-Lakes, Waitaki, Gore, Invercargill, Southland District, Tasman, Marlborough, Wagga Wagga, Albury,
  Tamworth, Ballarat, Bendigo, Shepparton, Wodonga, Traralgon, Launceston, New Norfolk, Canberra, Belconnen, Gungahlin, Tuggeranong, Woden Valley, Weston Creek,
  Molonglo Valley`);
const inland =
  among(`Hamilton, Matamata-Piako, Ōtorohanga, South Waikato, Taupō, Waipā, Rotorua Lakes, Palmerston North, Manawatū, Rangitīkei, Ruapehu, Tararua, Stratford,
  Carterton, Masterton, South Wairarapa, Upper Hutt, Mackenzie, Selwyn, Central Otago, Queenstown-Lakes, Gore, Maitland, Wagga Wagga, Albury, Tamworth, Ballarat,
  Bendigo, Melton, Shepparton, Wodonga, Mildura, Traralgon, Toowoomba, Mount Gambier, Gawler, Murray Bridge, Mount Barker, Kalgoorlie, Launceston, New Norfolk, Katherine,
  Alice Springs, Tennant Creek, Canberra, Belconnen, Gungahlin, Tuggeranong, Woden Valley, Weston Creek, Molonglo Valley`);
const calmOnFaults = among('Auckland, Northland');
const bricks = among('Western Australia, South Australia, Australian Capital Territory, Northern Territory');
const drySummers = among(
  "Western Australia, South Australia, Victoria, Tasmania, Australian Capital Territory, Hawke's Bay, Marlborough, Canterbury, Otago, Nelson, Gisborne",
);
const bushfires = among('New South Wales, Victoria, South Australia, Western Australia, Tasmania, Australian Capital Territory');
const hardWaters = among(
  'Adelaide, Perth, Mandurah, Murray Bridge, Port Pirie, Port Augusta, Whyalla, Geraldton, Mount Gambier, Alice Springs',
);
const clays = among('Melbourne, Adelaide, Geelong, Melton, Toowoomba, Mount Barker, Gawler, Shepparton, Wagga Wagga');
const sands = among('Perth, Mandurah, Bunbury, Busselton, Geraldton');
const windy = among(
  'Wellington City, Porirua, Lower Hutt, Christchurch, Selwyn, Waimakariri, Hurunui, Ashburton, Invercargill, New Plymouth',
);

function traitsOf(districtCode: number): Climate {
  const district = districtOfCode(districtCode)?.name ?? '';
  const { name: region = '', country = 'NZ' } = regionOfDistrict(districtCode) ?? {};
  const isTropical = tropics.has(district);
  const holds: Record<(typeof traits)[number], boolean> = {
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
  return new Set<Trait>([country, ...traits.filter((trait) => holds[trait])]);
}

const known = new Map<number, Climate>();
const alike = new Map<string, Climate>();
/** The same object for all places of the same climate. */
export function climateOf(districtCode: number): Climate {
  let climate = known.get(districtCode);
  if (!climate) {
    const own = traitsOf(districtCode);
    const key = [...own].join();
    climate = alike.get(key) ?? own;
    alike.set(key, climate);
    known.set(districtCode, climate);
  }
  return climate;
}

// What is only said where it is so: of two rules that a text meets, both must hold.
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

// The same thing by the name that it has in Australia.
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
const inAustralian = (text: string) => {
  const said = australian.reduce((before, [from, into]) => before.replace(from, into), text);
  // What began with a capital still does.
  return /^[A-Z]/.test(text) ? said.charAt(0).toUpperCase() + said.slice(1) : said;
};

const isSaid = (text: string, climate: Climate) => needs.every(([words, holds]) => !words.test(text) || holds(climate));

const fitted = new Map<Climate, Map<readonly string[], string[]>>();

/** The texts that fit a place, in the words of its country. */
export function fitting(texts: readonly string[], climate: Climate): readonly string[] {
  const ofClimate = fitted.get(climate) ?? new Map<readonly string[], string[]>();
  fitted.set(climate, ofClimate);
  const before = ofClimate.get(texts);
  if (before) return before;
  const found = texts.filter((text) => isSaid(text, climate)).map((text) => (climate.has('AU') ? inAustralian(text) : text));
  ofClimate.set(texts, found);
  return found;
}
