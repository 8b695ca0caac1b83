import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { categories } from '@handwise/contract/listings/categories';
import type { CountryCode } from '@handwise/contract/markets';
import { regions } from '@handwise/contract/places/regions';
import { type LicenceNeed, licenceNeeds } from '@handwise/contract/registers/licences';

export type RequirementRow = {
  country: CountryCode;
  region_code: number | null;
  category_code: number;
  sub_category_code: number | null;
  required: LicenceNeed;
  threshold_minor: number | null;
  what: string;
  register_name: string;
  register_url: string;
  source: string;
  confirmed: boolean;
};

const file = join(import.meta.dirname, 'licence-requirements.tsv');

/** The rows of the file beside this one. A row with several sub-categories is one for each; `*` is the whole group. Throws on any that it cannot read. */
export function readRequirements(text = readFileSync(file, 'utf8')): RequirementRow[] {
  const [, ...lines] = text.trim().split('\n');
  return lines.flatMap((line, index) => {
    const fault = (what: string) => new Error(`licence-requirements.tsv, line ${index + 2}: ${what}`);
    const [country = '', state, group, subs = '', required, threshold = '', what = '', registerName = '', registerUrl = '', , source = ''] =
      line.split('\t');
    if (country !== 'NZ' && country !== 'AU') throw fault(`no country “${country}”`);
    const region = regions.find((one) => one.country === country && one.abbreviation === state);
    if ((country === 'AU') !== (region !== undefined)) throw fault(`no state “${state}”`);
    const category = categories.find((one) => one.name === group);
    if (!category) throw fault(`no group “${group}”`);
    const need = licenceNeeds.find((one) => one === required);
    if (!need) throw fault(`“${required}” is no requirement`);
    const [, dollars] = /^(?:AUD|NZD) (\d+)$/.exec(threshold) ?? [];
    if (threshold !== '' && dollars === undefined) throw fault(`no value “${threshold}”`);
    return subs.split(';').map((name) => {
      const sub = category.subCategories.find((one) => one.name === name);
      if (!sub && name !== '*') throw fault(`no sub-category “${name}”`);
      return {
        country,
        region_code: region?.code ?? null,
        category_code: category.code,
        sub_category_code: sub?.code ?? null,
        required: need,
        threshold_minor: dollars === undefined ? null : Number(dollars) * 100,
        what,
        register_name: registerName,
        register_url: registerUrl,
        source,
        confirmed: source !== '' && source !== 'not verified',
      };
    });
  });
}
