/**
 * What the forms of a word have in common: a plural is one with its singular, and what somebody does with who does it
 * ("tiling" and "tilers" are "tiler", "tiles" are "tile"). The database has the same as `form_of`.
 */
export function formOf(word: string): string {
  const singular = singularOf(word);
  if (/..erer$/u.test(singular)) return singular.slice(0, -2);
  if (/..ering$/u.test(singular)) return singular.slice(0, -3);
  if (/[aeiouy].*ing$/u.test(singular) && singular.length >= 6) return `${singular.slice(0, -3)}er`;
  return singular;
}

function singularOf(word: string): string {
  if (/..ies$/u.test(word)) return `${word.slice(0, -3)}y`;
  if (/..(ss|sh|ch|x|z)es$/u.test(word)) return word.slice(0, -2);
  return /..[^sui]s$/u.test(word) ? word.slice(0, -1) : word;
}
