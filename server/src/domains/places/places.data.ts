import type { CountryCode } from '@handwise/contract/markets';
import { findDistrictByCode, findRegionByDistrict, regions } from '@handwise/contract/places/regions';
import { slug, fold } from '@handwise/contract/text';

/** A town, suburb or other locality of the address register. */
export type Locality = {
  /** Never reused, because listings reference it. */
  code: number;
  name: string;
  /** Its part of a URL, unique within its region. */
  slug: string;
  country: CountryCode;
  regionCode: number;
  /** New Zealand: its territorial authority. Australia: the nearest listed city of its state. */
  districtCode: number;
  postcodes: readonly string[];
  latitude: number;
  longitude: number;
  /** The number of addresses, for sorting by size; estimated in New Zealand, 0 if unknown. */
  addresses: number;
  /** No longer in the official files: found by its code only, for listings that reference it. */
  isRetired: boolean;
};

export const columns = ['code', 'district', 'name', 'postcodes', 'latitude', 'longitude', 'addresses'] as const;

/** Reads `localities.tsv`: one locality per line, with tab-separated columns. Throws an error that names the first invalid line. */
export function readLocalities(text: string): Locality[] {
  const [head, ...lines] = text.trimEnd().split('\n');
  if (head !== columns.join('\t')) throw new Error(`localities.tsv must begin with the line ${columns.join(', ')}`);
  const codes = new Set<number>();
  const localities = lines.map((line, index) => {
    const locality = readLine(line);
    if (!locality || codes.has(locality.code)) throw new Error(`localities.tsv, line ${index + 2}: ${line}`);
    codes.add(locality.code);
    return locality;
  });
  assignSlugs(localities.filter((one) => !one.isRetired));
  return localities;
}

function readLine(line: string): Locality | undefined {
  const [code, district, name, postcodes, latitude, longitude, addresses, ...more] = line.split('\t');
  const districtCode = Number(district);
  const region = findRegionByDistrict(districtCode);
  if (!region || !findDistrictByCode(districtCode) || !name || !postcodes || more.length > 0) return undefined;
  const isRetired = addresses === 'gone';
  const numbers = [Number(code), Number(latitude), Number(longitude), isRetired ? 0 : Number(addresses)];
  if (!latitude || !longitude || !addresses || numbers.some((number) => !Number.isFinite(number)) || !(Number(code) > 0)) return undefined;
  return {
    code: Number(code),
    name: copyText(name),
    slug: toSlug(name),
    country: region.country,
    regionCode: region.code,
    districtCode,
    postcodes: postcodes.split(' '),
    latitude: Number(latitude),
    longitude: Number(longitude),
    addresses: isRetired ? 0 : Number(addresses),
    isRetired,
  };
}

// Copies the text, because V8's substrings of 13 characters and more retain the whole file.
const copyText = (piece: string) => Buffer.from(piece).toString();

// Skips folding for plain names because all 17,000 are read when a server starts.
const toSlug = (name: string) => (/^[A-Za-z]+(?: [A-Za-z]+)*$/.test(name) ? name.toLowerCase().replaceAll(' ', '-') : slug(name));

// Adds the postcode to slugs shared within a region or with another district of it, then the code to those still shared.
function assignSlugs(localities: readonly Locality[]) {
  const shared = disambiguate(localities, (one) => `${one.slug}-${one.postcodes[0]}`);
  disambiguate(shared, (one) => `${one.slug}-${one.code}`);
}

/** Gives localities that share a slug a longer one, and returns them. */
function disambiguate(localities: readonly Locality[], longer: (locality: Locality) => string): Locality[] {
  const first = new Map<string, Locality>();
  const shared = new Set<Locality>();
  for (const one of localities) {
    const key = `${one.regionCode} ${one.slug}`;
    const other = first.get(key);
    if (other) shared.add(other).add(one);
    else first.set(key, one);
    if (isNamedLikeAnotherDistrict(one)) shared.add(one);
  }
  for (const one of shared) one.slug = longer(one);
  return [...shared];
}

const districtsBySlug = new Map(
  regions.flatMap((region) => region.districts.map((district) => [`${region.code} ${district.slug}`, district.code] as const)),
);
const isNamedLikeAnotherDistrict = (one: Locality) =>
  (districtsBySlug.get(`${one.regionCode} ${one.slug}`) ?? one.districtCode) !== one.districtCode;

/** Abbreviations in names of places, with the word they are compared as. */
const abbreviations: Record<string, string> = {
  mt: 'mount',
  st: 'saint',
  pt: 'point',
  nth: 'north',
  sth: 'south',
  upr: 'upper',
  lwr: 'lower',
  hts: 'heights',
  bch: 'beach',
  ck: 'creek',
  jct: 'junction',
  ft: 'fort',
};

const maxWords = 12;
const isPlain = (text: string) => /^[A-Za-z0-9 ]*$/.test(text);

/** The words of a place name, folded and with abbreviations expanded: "Mt. Māunganui" equals "mount maunganui". At most twelve. */
export function splitPlaceName(text: string): string[] {
  // Skips folding for plain names because all 17,000 are read when a server starts.
  const words = isPlain(text)
    ? text.toLowerCase().split(' ')
    : fold(text)
        .replace(/['’.]/g, '')
        .split(/[^\p{L}\p{N}]+/u);
  return words
    .filter((word) => word !== '')
    .slice(0, maxWords)
    .map((word) => (word.length <= 3 && Object.hasOwn(abbreviations, word) ? (abbreviations[word] ?? word) : word));
}

const isOneWord = (text: string) => /^[A-Za-z]{4,}$/.test(text);

export const toPlaceKey = (text: string) => (isOneWord(text) ? text.toLowerCase() : splitPlaceName(text).join(' '));
