import type { Bank } from './bank.ts';
import { buildingWords } from './words-building.ts';
import { homeWords } from './words-home.ts';
import { serviceWords } from './words-services.ts';

const words: Record<number, Bank> = { ...homeWords, ...buildingWords, ...serviceWords };

// Words that only one of the two countries uses for these things.
const foreign = {
  AU: /Ka pai|Ngā mihi|Kia ora|Gib|bach\b|[Tt]ūī|fantail|rimu|macrocarpa|southerly|[Vv]illa|[Nn]ative tim|[Ee]arthquake|[Ss]eismic|[Rr]e-pil|H3\.2|hedgehog|Christmas Eve/,
  NZ: /[Tt]ermite|ute\b|huge gum/,
} as const;

/** The texts that fit a country. */
export const fitting = (texts: readonly string[], country: 'NZ' | 'AU') => texts.filter((text) => !foreign[country].test(text));

const banksByCountry = new Map<string, Bank>();

export function wordsFor(subCategoryCode: number, country: 'NZ' | 'AU'): Bank {
  const key = `${country}${subCategoryCode}`;
  let bank = banksByCountry.get(key);
  if (!bank) {
    const { scenes, heads, leads, facts, services, praise, asks } = wordsOf(subCategoryCode);
    bank = {
      scenes,
      heads: fitting(heads, country),
      leads: fitting(leads, country),
      facts: fitting(facts, country),
      services: fitting(services, country),
      praise: fitting(praise, country),
      asks: fitting(asks, country),
    };
    banksByCountry.set(key, bank);
  }
  return bank;
}

export function wordsOf(subCategoryCode: number): Bank {
  const found = words[subCategoryCode];
  if (!found) throw new Error(`There are no words for sub-category ${subCategoryCode}`);
  return found;
}

export type Names = { b: string; t: string; r: string; o: string; y: number; n?: number; since?: number; ask?: string };

/** Fills {b}, {t} and so on, with a capital where a name begins a sentence. */
export function fill(text: string, names: Names): string {
  return text
    .replace(/\{(\w+)\}/g, (_, key: string) => String(names[key as keyof Names] ?? ''))
    .replace(/(^|[.?!] )([a-zāēīōū])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}
