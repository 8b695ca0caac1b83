import { site } from '@handwise/contract/site/site';
import { fold } from '../text.ts';

// Names that could pass for the site's staff. Lower case, without accents and digits.
/** Whether a name holds that of the site. A short one, such as "Go", is part of too many words. */
function hasSiteName(text: string): boolean {
  const name = fold(site.name).replaceAll(/[^\p{L}\p{N}]+/gu, '');
  return name.length < 5 ? text === name : text.includes(name);
}
const words = (text: string) => text.split(/\s+/);
/** Misleading anywhere in a name. */
const titleWords = new Set(words('admin admins administrator administrators moderator moderators sysadmin superuser superadmin'));
/** Misleading alone or combined with each other only: "root_and_branch" is a tree surgeon. */
const roleWords = new Set([
  ...titleWords,
  ...words(`root support staff system security official mod mods help helpdesk service customerservice customersupport customercare
    webmaster postmaster hostmaster abuse noreply donotreply mailerdaemon billing payments refunds accounts trust safety verification
    verified compliance legal privacy info contact feedback press team owner founder operator bot robot daemon nobody anonymous guest
    null undefined unknown deleted everyone api www mail email ftp login signup`),
]);
/** Fillers that change nothing about the other words. */
const emptyWords = new Set(
  words(
    'the a an and of at for my our real your user account desk centre center customer nz au aus anz aotearoa australia new zealand newzealand',
  ),
);

// Letters of other alphabets, digits and signs that look like a Latin letter, with that letter.
const lookalikes = new Map(
  words('аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԝw мm тt нh кk αa οo ρp ιi νv υu τt κk ıi ɑa ɡg łl øo đd 0o 3e 4a 5s 7t 8b @a $s !i |l').map(
    ([sign = '', letter = '']) => [sign, letter],
  ),
);
const plainly = (name: string, one: 'i' | 'l') =>
  [...fold(name).replace(/[^\p{L}\p{N}\p{P}\p{S}\p{Z}]/gu, '')]
    .map((char) => (char === '1' ? one : (lookalikes.get(char) ?? char)))
    .join('');

/** Possible readings of a name: digits as letters, or as a number before or after it. */
function readings(name: string): string[] {
  const withoutNumber = name.replace(/^[\d_]+|(?<![\d_])[\d_]+$/g, '');
  return [name, withoutNumber].flatMap((text) => [plainly(text, 'i'), plainly(text, 'l')]);
}

/** Whether the text consists of words of the set and fillers only, with at least one word of the set. */
function isMadeOf(parts: readonly string[]): boolean {
  const rest = parts.filter((word) => word !== '' && !emptyWords.has(word));
  return rest.length > 0 && rest.every((word) => roleWords.has(word) || isRunOf(word));
}

const longestWord = Math.max(...[...roleWords, ...emptyWords].map((word) => word.length));

/** Whether the text is two words written as one, such as "supportteam", "adminnz" or "theadmin". */
function isRunOf(word: string): boolean {
  if (word.length > 2 * longestWord) return false;
  for (let cut = 2; cut <= word.length - 2; cut += 1) {
    const [first, second] = [word.slice(0, cut), word.slice(cut)];
    const known = [first, second].filter((one) => roleWords.has(one)).length;
    const empty = [first, second].filter((one) => emptyWords.has(one)).length;
    if (known > 0 && known + empty === 2) return true;
  }
  return false;
}

const hasTitle = (parts: readonly string[]) => parts.some((word) => titleWords.has(word));

/** Whether a user name passes for the site or its staff, ignoring case, underscores and digits. */
export const isReservedUsername = (username: string): boolean =>
  readings(username).some((text) => {
    const parts = text.split('_');
    const whole = parts.join('');
    return hasSiteName(whole) || hasTitle(parts) || isMadeOf(parts) || isMadeOf([whole]);
  });

/** Whether a full name passes for the site or its staff. "Joe Root" does not. */
export const isMisleadingName = (name: string): boolean =>
  readings(name).some((text) => {
    const parts = text.split(/[^\p{L}\p{N}]+/u);
    return hasSiteName(parts.join('')) || hasTitle(parts) || isMadeOf(parts) || isMadeOf([parts.join('')]);
  });
