import { siteName } from '../site/name.ts';
import { fold } from '../text.ts';

// Names under which somebody could pass for the people behind the site. Written small, without accents and digits.
const brand = siteName.toLowerCase();
const words = (text: string) => text.split(/\s+/);
/** These mislead wherever they stand in a name. */
const titleWords = new Set(words('admin admins administrator administrators moderator moderators sysadmin superuser superadmin'));
/** These mislead on their own or with each other, but "root_and_branch" is a tree surgeon. */
const roleWords = new Set([
  ...titleWords,
  ...words(`root support staff system security official mod mods help helpdesk service customerservice customersupport customercare
    webmaster postmaster hostmaster abuse noreply donotreply mailerdaemon billing payments refunds accounts trust safety verification
    verified compliance legal privacy info contact feedback press team owner founder operator bot robot daemon nobody anonymous guest
    null undefined unknown deleted everyone api www mail email ftp login signup`),
]);
/** These change nothing about what the others say. */
const emptyWords = new Set(
  words(
    'the a an and of at for my our real your user account desk centre center customer nz au aus anz aotearoa australia new zealand newzealand',
  ),
);

// Letters of other alphabets that look like Latin ones, and digits and signs that stand for letters, each with the Latin letter.
const lookalikes = new Map(
  words('аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԝw мm тt нh кk αa οo ρp ιi νv υu τt κk ıi ɑa ɡg łl øo đd 0o 3e 4a 5s 7t 8b @a $s !i |l').map(
    ([sign = '', letter = '']) => [sign, letter],
  ),
);
const plainly = (name: string, one: 'i' | 'l') =>
  [...fold(name).replace(/[^\p{L}\p{N}\p{P}\p{S}\p{Z}]/gu, '')]
    .map((char) => (char === '1' ? one : (lookalikes.get(char) ?? char)))
    .join('');

/** The ways to read a name: as letters, with digits as letters or as a number in front or behind. */
function readings(name: string): string[] {
  const withoutNumber = name.replace(/^[\d_]+|[\d_]+$/g, '');
  return [name, withoutNumber].flatMap((text) => [plainly(text, 'i'), plainly(text, 'l')]);
}

/** Whether the text is nothing but words of the set, one after the other, with or without fillers, and at least one of the set. */
function isMadeOf(parts: readonly string[]): boolean {
  const rest = parts.filter((word) => word !== '' && !emptyWords.has(word));
  return rest.length > 0 && rest.every((word) => roleWords.has(word) || isRunOf(word));
}

const longestWord = Math.max(...[...roleWords, ...emptyWords].map((word) => word.length));

/** Two words written as one, such as "supportteam", "adminnz" or "theadmin". */
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

const saysTitle = (parts: readonly string[]) => parts.some((word) => titleWords.has(word));

/** Whether a user name passes for the site or its people, whatever its case, its underscores and its digits. */
export const isReservedUsername = (username: string): boolean =>
  readings(username).some((text) => {
    const parts = text.split('_');
    const whole = parts.join('');
    return whole.includes(brand) || saysTitle(parts) || isMadeOf(parts) || isMadeOf([whole]);
  });

/** Whether a person's name passes for the site or its people. "Joe Root" does not. */
export const isMisleadingName = (name: string): boolean =>
  readings(name).some((text) => {
    const parts = text.split(/[^\p{L}\p{N}]+/u);
    return parts.join('').includes(brand) || saysTitle(parts) || isMadeOf(parts) || isMadeOf([parts.join('')]);
  });
