/** Lower case without macrons and accents, so that "taupo" equals "Taupō". The database has the same as `fold_text`. */
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

/** A name as a part of an address: "Hawke's Bay" becomes "hawkes-bay". */
export const slug = (name: string) =>
  fold(name)
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/**
 * "Taupō, Waikato, New Zealand" as it is shown everywhere: "Taupō › Waikato › New Zealand". A city that is its own region is named once, and
 * no line begins with a ›.
 */
export const locationLine = (location: string) =>
  location
    .split(', ')
    .filter((part, index, parts) => part !== '' && part !== parts[index - 1])
    .join('\u00a0› ') || 'Location not specified';
