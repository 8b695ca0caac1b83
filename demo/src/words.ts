import type { Bank } from './bank.ts';
import { type Climate, fitting } from './climates.ts';
import { buildingWords } from './words-building.ts';
import { homeWords } from './words-home.ts';
import { regionalFacts } from './words-regions.ts';
import { serviceWords } from './words-services.ts';

const words: Record<number, Bank> = { ...homeWords, ...buildingWords, ...serviceWords };

/** What is written about one kind of work in one place. */
export type LocalBank = Bank & { regional: readonly string[] };

const known = new Map<Climate, Map<number, LocalBank>>();

export function wordsFor(subCategoryCode: number, climate: Climate): LocalBank {
  const banks = known.get(climate) ?? new Map<number, LocalBank>();
  known.set(climate, banks);
  let bank = banks.get(subCategoryCode);
  if (!bank) {
    const { scenes, heads, leads, facts, services, praise, asks } = wordsOf(subCategoryCode);
    const regional = regionalFacts.filter(({ where, subs }) => climate.has(where) && subs.includes(subCategoryCode));
    bank = {
      scenes,
      heads: fitting(heads, climate),
      leads: fitting(leads, climate),
      facts: fitting(facts, climate),
      services: fitting(services, climate),
      praise: fitting(praise, climate),
      asks: fitting(asks, climate),
      regional: regional.map(({ text }) => text),
    };
    banks.set(subCategoryCode, bank);
  }
  return bank;
}

export function wordsOf(subCategoryCode: number): Bank {
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
  /** One and another of the services that a listing names. */
  s?: string;
  s2?: string;
};

/** Fills {b}, {t} and so on, with a capital where a name begins a sentence. */
export function fill(text: string, names: Names): string {
  return text
    .replace(/\{(\w+)\}/g, (_, key: string) => String(names[key as keyof Names] ?? ''))
    .replace(/(^|[.?!] )([a-zāēīōū])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}
