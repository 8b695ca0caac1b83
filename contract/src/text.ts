/** Lower case without macrons and accents, so that "taupo" equals "Taupō". The database has the same as `fold_text`. */
export const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .toLowerCase();

/** A name as a part of an address: "Hawke's Bay" becomes "hawkes-bay". */
export const slug = (name: string) =>
  fold(name)
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
