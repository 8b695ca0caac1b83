import { site } from '@handwise/contract/site/site';
import { invalidField } from '../../kit/errors.ts';
import { isCommonPassword } from '../../kit/identity/password.ts';

/** The stored hash of an account without a password: no password matches it. */
export const noPassword = '!';
export const hasPassword = ({ password_hash }: { password_hash: string }): boolean => password_hash !== noPassword;

export type Owner = { full_name: string; username: string; email: string };

/** Words that a guesser would try at this site for any account. */
const listSiteWords = () => [site.name, 'New Zealand', 'Aotearoa', 'Australia'];
/** Letters that a password needs besides such words. */
const minOtherLetters = 3;

const getLetters = (text: string) => text.normalize('NFKD').toLowerCase().replaceAll(/\P{L}/gu, '');
const getParts = (text: string) => [text, ...text.split(/[^\p{L}\p{M}]+/u)].map(getLetters);

/** Whether a password has almost no letters besides the words of its account and this site. */
export function isMadeOfOwnWords(password: string, { full_name, username, email }: Owner): boolean {
  const [mailbox = ''] = email.split('@');
  const words = [...listSiteWords().map(getLetters), ...[full_name, username, mailbox].flatMap(getParts)]
    .filter((word) => word.length >= 3)
    .toSorted((a, b) => b.length - a.length);
  const letters = getLetters(password);
  const left = words.reduce((rest, word) => rest.replaceAll(word, ''), letters);
  return left.length < letters.length && left.length < minOtherLetters;
}

/** Throws `invalid_input` for a common password, and for one made of the account's own words. */
export async function rejectWeakPassword(password: string, owner: Owner): Promise<void> {
  if (await isCommonPassword(password)) throw invalidField('password', 'This password is too common');
  if (isMadeOfOwnWords(password, owner))
    throw invalidField('password', 'This password is based on your own name or address. Choose another one.');
}
