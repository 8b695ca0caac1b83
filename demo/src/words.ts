import type { Bank } from './bank.ts';
import { type Climate, filterByClimate } from './climates.ts';
import { buildingWords } from './words-building.ts';
import { homeWords } from './words-home.ts';
import { regionalFacts } from './words-regions.ts';
import { serviceWords } from './words-services.ts';
import { type Specialism, specialisms } from './words-specialisms.ts';

const words: Record<number, Bank> = { ...homeWords, ...buildingWords, ...serviceWords };

/** A sub-category's code, or a specialism within one. */
export type Work = number | Specialism;

/** The texts about one kind of work that fit a climate. */
export type LocalBank = Bank & { regional: readonly string[] };

const cache = new Map<Climate, Map<Work, LocalBank>>();

export function wordsFor(work: Work, climate: Climate): LocalBank {
  const banks = cache.get(climate) ?? new Map<Work, LocalBank>();
  cache.set(climate, banks);
  let bank = banks.get(work);
  if (!bank) {
    const { scenes, heads, leads, facts, services, praise, asks } =
      typeof work === 'number' ? getWords(work) : specialisms[work].words[climate.has('AU') ? 'AU' : 'NZ'];
    const regional = regionalFacts.filter(({ where, subs }) => climate.has(where) && typeof work === 'number' && subs.includes(work));
    bank = {
      scenes,
      heads: filterByClimate(heads, climate),
      leads: filterByClimate(leads, climate),
      facts: filterByClimate(facts, climate),
      services: filterByClimate(services, climate),
      praise: filterByClimate(praise, climate),
      asks: filterByClimate(asks, climate),
      regional: regional.map(({ text }) => text),
    };
    banks.set(work, bank);
  }
  return bank;
}

export function getWords(subCategoryCode: number): Bank {
  const found = words[subCategoryCode];
  if (!found) throw new Error(`There are no words for sub-category ${subCategoryCode}`);
  return found;
}

export type Names = {
  b: string;
  t: string;
  r: string;
  o: string;
  y: number;
  n?: number;
  since?: number;
  ask?: string;
  /** Two different services of the listing. */
  s?: string;
  s2?: string;
};

/** Replaces placeholders and capitalises the start of each sentence. */
export function fill(text: string, names: Names): string {
  return text
    .replace(/\{(\w+)\}/g, (_, key: string) => String(names[key as keyof Names] ?? ''))
    .replace(/(^|[.?!] )([a-zāēīōū])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}
