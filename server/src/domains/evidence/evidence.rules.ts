import { categories } from '@handwise/contract/listings/categories';
import type { RegisterCheckState } from '@handwise/contract/evidence/words';
import { fold } from '@handwise/contract/text';
import type { RegisterEntry } from '../../kit/outside/registers.ts';

const wordsOf = (name: string) =>
  fold(name)
    .replace(/['’]/g, '')
    .replace(/&/g, ' and ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

// What stands in the names of many, and so tells nobody apart.
const legalForms = 'limited ltd pty proprietary incorporated inc company co trust trustee trustees trading as the and of';
const manyHave =
  'nz new zealand aotearoa australia australian aussie kiwi group holdings services service solutions professional quality premium local family best ' +
  'home homes house property properties maintenance repairs repair contractors contracting contractor sons son daughters brothers bros ' +
  'plumber plumbers plumb electrician electricians electrics builder builders build building carpentry carpenters joinery drainage drainlayers drains ' +
  'gasfitters gasfitting cleaner cleaners clean painter painters paint decorators plasterers roofer roofers roof glaziers glass windows concreters ' +
  'fencing fences landscaper landscapers landscapes gardens garden gardening lawns lawn mowing trees tree handy handymen security alarms alarm locksmiths';
const legal = new Set(legalForms.split(' '));
const common = new Set([
  ...legal,
  ...manyHave.split(' '),
  ...categories.flatMap(({ name, subCategories }) => [name, ...subCategories.map((sub) => sub.name)]).flatMap(wordsOf),
]);

/**
 * Whether a business may be the one that is registered under a name: they share a word that is not a trade's or a legal form's, or differ
 * in spaces only. A name of nothing but such words must be the same.
 */
export function isSameBusiness(claimed: string, registered: string): boolean {
  const [one, other] = [wordsOf(claimed), wordsOf(registered)];
  const joined = (words: readonly string[]) => words.filter((word) => !legal.has(word)).join('');
  if (joined(one) !== '' && joined(one) === joined(other)) return true;
  const own = new Set(one.filter((word) => word.length > 1 && !common.has(word)));
  return other.some((word) => own.has(word));
}

/** What a register's answer makes of a number that a business of this name gave. */
export function judge(entry: RegisterEntry | null, business: string): { state: RegisterCheckState; registerName: string | null } {
  if (!entry) return { state: 'refused', registerName: null };
  const [registerName] = entry.names;
  if (!entry.names.some((name) => isSameBusiness(business, name))) return { state: 'refused', registerName };
  return { state: entry.isInOperation ? 'verified' : 'gone', registerName };
}
