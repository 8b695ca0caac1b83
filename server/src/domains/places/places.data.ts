import type { CountryCode } from '@handwise/contract/markets';
import { districtOfCode, regionOfDistrict, regions } from '@handwise/contract/places/regions';
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
  /** No longer in the official files: known by its code, for those who point at it, and found by nobody else. */
  isGone: boolean;
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
  nameAddresses(localities.filter((one) => !one.isGone));
  return localities;
}

function readLine(line: string): Locality | undefined {
  const [code, district, name, postcodes, latitude, longitude, addresses, ...more] = line.split('\t');
  const districtCode = Number(district);
  const region = regionOfDistrict(districtCode);
  if (!region || !districtOfCode(districtCode) || !name || !postcodes || more.length > 0) return undefined;
  const isGone = addresses === 'gone';
  const numbers = [Number(code), Number(latitude), Number(longitude), isGone ? 0 : Number(addresses)];
  if (!latitude || !longitude || !addresses || numbers.some((number) => !Number.isFinite(number)) || !(Number(code) > 0)) return undefined;
  return {
    code: Number(code),
    name: apart(name),
    slug: slugOf(name),
    country: region.country,
    regionCode: region.code,
    districtCode,
    postcodes: postcodes.split(' '),
    latitude: Number(latitude),
    longitude: Number(longitude),
    addresses: isGone ? 0 : Number(addresses),
    isGone,
  };
}

// A piece of a text holds all of the text: of 13 letters on V8 makes no copy.
const apart = (piece: string) => Buffer.from(piece).toString();

// Most of 17,000 names need no folding, and all are read when a server starts.
const slugOf = (name: string) => (/^[A-Za-z]+(?: [A-Za-z]+)*$/.test(name) ? name.toLowerCase().replaceAll(' ', '-') : slug(name));

// Where several of a region have one name, or a district elsewhere in it, the postcode stands in the address; and the code where that is the same too.
function nameAddresses(localities: readonly Locality[]) {
  const shared = tellApart(localities, (one) => `${one.slug}-${one.postcodes[0]}`);
  tellApart(shared, (one) => `${one.slug}-${one.code}`);
}

/** Gives those that share an address a longer one, and says which they are. */
function tellApart(localities: readonly Locality[], longer: (locality: Locality) => string): Locality[] {
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
