import type { CountryCode } from '@handwise/contract/markets';
import { districtOfCode, regionOfCode, regions } from '@handwise/contract/places';
import { slug } from '@handwise/contract/text';

/** A town, a suburb or another locality, as the register of addresses names it. */
export type Locality = {
  /** Stands for one place for good: listings point at it. */
  code: number;
  name: string;
  /** Its part of an address, alone within its region. */
  slug: string;
  country: CountryCode;
  regionCode: number;
  /** New Zealand: the territorial authority it lies in. Australia: the nearest listed city of its state. */
  districtCode: number;
  postcodes: readonly string[];
  latitude: number;
  longitude: number;
  /** How many addresses there are, in New Zealand about: by it the bigger of two comes first. 0 where it is not known. */
  addresses: number;
};

export const columns = ['code', 'district', 'name', 'postcodes', 'latitude', 'longitude', 'addresses'] as const;

/**
 * Reads `localities.tsv`: one locality a line, its columns parted by tabs. Throws naming the line that means nothing: with a part
 * of the places only, searches would lead elsewhere.
 */
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
  nameAddresses(localities);
  return localities;
}

function readLine(line: string): Locality | undefined {
  const [code, district, name, postcodes, latitude, longitude, addresses, ...more] = line.split('\t');
  const districtCode = Number(district);
  const region = regionOfCode(Math.floor(districtCode / 100));
  if (!region || !districtOfCode(districtCode) || !name || !postcodes || more.length > 0) return undefined;
  const numbers = [Number(code), Number(latitude), Number(longitude), Number(addresses)];
  if (!latitude || !longitude || !addresses || numbers.some((number) => !Number.isFinite(number)) || !(Number(code) > 0)) return undefined;
  return {
    code: Number(code),
    name,
    slug: slug(name),
    country: region.country,
    regionCode: region.code,
    districtCode,
    postcodes: postcodes.split(' '),
    latitude: Number(latitude),
    longitude: Number(longitude),
    addresses: Number(addresses),
  };
}

// Where several of a region have one name, or a district elsewhere in it, the postcode stands in the address; and the code where that is the same too.
function nameAddresses(localities: Locality[]) {
  tellApart(localities, (one) => `${one.slug}-${one.postcodes[0]}`);
  tellApart(localities, (one) => `${one.slug}-${one.code}`);
}

function tellApart(localities: readonly Locality[], longer: (locality: Locality) => string) {
  const had = new Map<string, Locality[]>();
  for (const one of localities) {
    const key = `${one.regionCode} ${one.slug}`;
    const same = had.get(key);
    if (same) same.push(one);
    else had.set(key, [one]);
  }
  for (const same of had.values()) {
    if (same.length > 1 || same.some(isNamedLikeAnotherDistrict)) for (const one of same) one.slug = longer(one);
  }
}

const districtsBySlug = new Map(
  regions.flatMap((region) => region.districts.map((district) => [`${region.code} ${district.slug}`, district.code] as const)),
);
const isNamedLikeAnotherDistrict = (one: Locality) =>
  (districtsBySlug.get(`${one.regionCode} ${one.slug}`) ?? one.districtCode) !== one.districtCode;
