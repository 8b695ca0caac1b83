import { categories } from '@handwise/contract/listings/categories';
import type { RegisterCheckState } from '@handwise/contract/registers/checks';
import { splitWords } from '@handwise/contract/text';
import type { RegisterEntry } from '../../kit/integrations/registers.ts';

const splitName = (name: string) => splitWords(name.replaceAll('&', ' and '));

// Words in the names of many businesses, which do not distinguish them.
const legalForms = 'limited ltd pty proprietary incorporated inc company co trust trustee trustees trading as the and of';
const commonWords =
  'nz new zealand aotearoa australia australian aussie kiwi group holdings services service solutions professional quality premium local family best ' +
  'home homes house property properties maintenance repairs repair contractors contracting contractor sons son daughters brothers bros ' +
  'plumber plumbers plumb electrician electricians electrics builder builders build building carpentry carpenters joinery drainage drainlayers drains ' +
  'gasfitters gasfitting cleaner cleaners clean painter painters paint decorators plasterers roofer roofers roof glaziers glass windows concreters ' +
  'fencing fences landscaper landscapers landscapes gardens garden gardening lawns lawn mowing trees tree handy handymen security alarms alarm locksmiths';
const legal = new Set(legalForms.split(' '));
const common = new Set([
  ...legal,
  ...commonWords.split(' '),
  ...categories.flatMap(({ name, subCategories }) => [name, ...subCategories.map((sub) => sub.name)]).flatMap(splitName),
]);

/**
 * Whether a business may be the one registered under a name: the names share a word that is neither a trade nor a legal form, or differ in
 * spaces only. Names of only such words must be equal.
 */
export function isSameBusiness(claimed: string, registered: string): boolean {
  const [one, other] = [splitName(claimed), splitName(registered)];
  const joined = (words: readonly string[]) => words.filter((word) => !legal.has(word)).join('');
  if (joined(one) !== '' && joined(one) === joined(other)) return true;
  const own = new Set(one.filter((word) => word.length > 1 && !common.has(word)));
  return other.some((word) => own.has(word));
}

/** The state of a check, from the register's entry and the name of the business. */
export function evaluateEntry(entry: RegisterEntry | null, business: string): { state: RegisterCheckState; registerName: string | null } {
  if (!entry) return { state: 'refused', registerName: null };
  const [registerName] = entry.names;
  if (!entry.names.some((name) => isSameBusiness(business, name))) return { state: 'refused', registerName };
  return { state: entry.isInOperation ? 'verified' : 'gone', registerName };
}
