// One-line values that a machine reads: telephone numbers, addresses, codes, searches, cells. Whoever copies one out of a contact card, a PDF or a
// chat brings along characters that nobody typed and nobody sees, so these are removed or replaced before the value is checked.

/** Joiners, soft hyphens, byte order marks, direction marks, variation selectors: drawn as nothing. */
const ignorable = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffc]/gu;
// Hyphens and dashes of every length, the minus sign and the hyphen bullet. The long sound mark of Japanese is a letter.
const dashes = /[\p{Dash_Punctuation}\u2212\u2043\u02d7]/gu;
// Tabs, line breaks and spaces of every width.
const spaces = /[\s\u0085]+/g;
const fullWidth = /[\uff01-\uff5e]/g;
const arabicDigits = /[\u0660-\u0669\u06f0-\u06f9]/g;

const toNarrow = (char: string) => String.fromCharCode(char.charCodeAt(0) - 0xfee0);
const toAsciiDigit = (char: string) => String(char.charCodeAt(0) & 0xf);

const removeInvisible = (text: string) => text.replace(ignorable, '');
const toAscii = (text: string) =>
  text.replace(fullWidth, toNarrow).replaceAll('\u3002', '.').replace(arabicDigits, toAsciiDigit).replace(dashes, '-');

/** The value without characters that nobody typed: ordinary spaces, hyphens and digits, nothing invisible. Other control characters stay. */
export const cleanMachineText = (text: string): string => toAscii(removeInvisible(text)).replace(spaces, ' ').trim();

const scheme = /^[a-zａ-ｚ]{1,20}[:：][/／]{2}/iu;
const endOfHost = /[/／?？#＃]/u;

/** Like `cleanMachineText`, but a path and query, which may hold any letter and dash, lose only what is invisible. */
export function cleanWebAddress(text: string): string {
  const address = removeInvisible(text).trim();
  const start = scheme.exec(address)?.[0].length ?? 0;
  const length = address.slice(start).search(endOfHost);
  const end = length < 0 ? address.length : start + length;
  return cleanMachineText(address.slice(0, end)) + toAscii(address.slice(end, end + 1)) + address.slice(end + 1).replace(/[\t\r\n]+/g, '');
}

// Written with hyphens, underscores, spaces or nothing between its parts.
const codeInText = /(?<![\p{L}\d-])REF[ _-]{0,3}([A-Z\d]{3})[ _-]{0,3}(\d{4,})(?![\p{L}\d-])/iu;
const spacedCode = /^REF[_-]?([A-Z\d]{3})[_-]?(\d{4,})$/iu;

/** A referral code in its usual form, without what was copied along with it: a full stop, quotes, the rest of a link. */
export function cleanReferralCode(text: string): string {
  const clean = cleanMachineText(text);
  const [, letters, number] = spacedCode.exec(clean.replaceAll(' ', '')) ?? codeInText.exec(clean) ?? [];
  return letters && number ? `REF-${letters.toUpperCase()}-${number}` : clean;
}
