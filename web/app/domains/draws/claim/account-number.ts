/** An account number as banks write it, or what is wrong with it in words for whoever typed it. */
export type ReadAccountNumber = { number: string } | { problem: string };

type Currency = 'NZD' | 'AUD';

// Banks, people and forms put a space, a dash or nothing between the parts.
const groupsOf = (typed: string) => typed.match(/\d+/g) ?? [];
const isWritten = (typed: string) => /^[\d\s./‐-―−-]+$/.test(typed);

/** Bank, branch, account and suffix: 12-3456-0123456-00. */
function readNewZealand(typed: string): ReadAccountNumber {
  const problem = 'A New Zealand account number has a bank, a branch, an account and a suffix, like 12-3456-0123456-00';
  const groups = groupsOf(typed);
  const digits = groups.join('');
  // Whoever wrote four parts, a short one first, meant these; other spaces only help the eye, as on cards.
  const isInParts = groups.length === 4 && (groups[0] ?? '').length <= 2;
  const [bank, branch, account, suffix] = isInParts
    ? groups
    : [digits.slice(0, 2), digits.slice(2, 6), digits.slice(6, 13), digits.slice(13)];
  const suffixLengths = isInParts ? /^\d{1,4}$/ : /^\d{2,3}$/;
  const fits = bank?.length === 2 && branch?.length === 4 && /^\d{6,8}$/.test(account ?? '') && suffixLengths.test(suffix ?? '');
  if (!fits || !account || !suffix) return { problem };
  if (/^0+$/.test(account)) return { problem: 'The account in this number is all zeros. Please check it' };
  return { number: [bank, branch, account.padStart(7, '0'), suffix.padStart(2, '0')].join('-') };
}

/** BSB and account: 062-000 12345678. */
function readAustralia(typed: string): ReadAccountNumber {
  const problem = 'An Australian account number has a BSB of six digits and an account, like 062-000 12345678';
  const digits = groupsOf(typed).join('');
  const [bsb, account] = [digits.slice(0, 6), digits.slice(6)];
  if (account.length === 0) return { problem };
  if (account.length < 4) return { problem: 'A digit is missing: the account after the BSB has at least four' };
  if (account.length > 10) return { problem: 'There are too many digits: a BSB has six, and the account at most ten' };
  if (/^0+$/.test(account)) return { problem: 'The account in this number is all zeros. Please check it' };
  return { number: `${bsb.slice(0, 3)}-${bsb.slice(3)} ${account}` };
}

export function readAccountNumber(typed: string, currency: Currency): ReadAccountNumber {
  if (!isWritten(typed)) return { problem: 'Use digits only, with spaces or dashes between them if you like' };
  return currency === 'NZD' ? readNewZealand(typed) : readAustralia(typed);
}
