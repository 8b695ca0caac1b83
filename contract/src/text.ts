/** Lower case without macrons and accents, so that "taupo" equals "Taupō". `fold_text` in the database does the same. */
export const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .toLowerCase();

/** The words of a text, folded and without apostrophes. */
export const splitWords = (text: string): string[] =>
  fold(text)
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** A name as part of a URL: "Hawke's Bay" becomes "hawkes-bay". */
export const slug = (name: string) =>
  fold(name)
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Where a listing is based, in two places at most: "Onehunga, Auckland", or without a base "Taupō, Waikato". */
export const formatBase = ({ base, district, region }: { base: string | null; district: string; region: string }) =>
  [...new Set(base === null ? [district, region] : [base, district])].join(', ');

/**
 * Formats "Taupō, Waikato, New Zealand" for display: "Taupō › Waikato › New Zealand". A city that is its own region appears once, and
 * non-breaking spaces keep a › off the start of a line.
 */
export const locationLine = (location: string) =>
  location
    .split(', ')
    .filter((part, index, parts) => part !== '' && part !== parts[index - 1])
    .join('\u00a0› ') || 'Location not specified';

/** What stands before and after the last comma; without a comma nothing stands after it. */
export function splitAtLastComma(text: string): [before: string, after: string] {
  const at = text.includes(',') ? text.lastIndexOf(',') : text.length;
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** The parts of a list in a setting: "plumbing, roofing". */
export const splitList = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
