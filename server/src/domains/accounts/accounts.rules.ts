import { siteName } from '@handwise/contract/site/name';
import { invalidField } from '../../kit/errors.ts';
import { isCommonPassword } from '../../kit/identity/password.ts';

/** Whose password it is to be. */
export type Owner = { full_name: string; username: string; email: string };

/** What a guesser would try at this site, whoever the account is of. */
const ownWordsOfSite = [siteName, 'New Zealand', 'Aotearoa', 'Australia'];
/** Other letters that a password needs beside such words. */
const otherLetters = 3;

const lettersOf = (text: string) => text.normalize('NFKD').toLowerCase().replaceAll(/\P{L}/gu, '');
const partsOf = (text: string) => [text, ...text.split(/[^\p{L}\p{M}]+/u)].map(lettersOf);

/** Whether hardly anything is left of a password without digits, marks and the words of its own account or this site. */
export function isOfOwnWords(password: string, { full_name, username, email }: Owner): boolean {
  const [mailbox = ''] = email.split('@');
  const words = [...ownWordsOfSite.map(lettersOf), ...[full_name, username, mailbox].flatMap(partsOf)]
    .filter((word) => word.length >= 3)
    .toSorted((a, b) => b.length - a.length);
  const letters = lettersOf(password);
  const left = words.reduce((rest, word) => rest.replaceAll(word, ''), letters);
  return left.length < letters.length && left.length < otherLetters;
}

/** Throws `invalid_input` for a password that is among the first to be tried, for anybody or for this account. */
export async function refuseWeakPassword(password: string, owner: Owner): Promise<void> {
  if (await isCommonPassword(password)) throw invalidField('password', 'This password is too common');
  if (isOfOwnWords(password, owner))
    throw invalidField('password', 'This password is based on your own name or address. Choose another one.');
}
