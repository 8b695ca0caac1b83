/**
 * A number as people here read it, with a comma at each thousand: `1234` becomes "1,234". By hand: the browser's own writer of
 * numbers is made once for a page, but that keeps a phone busy for a tenth of a second, in which it draws nothing.
 */
export const count = (value: number) => withDecimals(value, 0);

/** With a fixed number of decimals: `1234.5` and 2 become "1,234.50". */
export const withDecimals = (value: number, decimals: number) => value.toFixed(decimals).replace(/\d(?=(?:\d{3})+(?:\.|$))/g, '$&,');

/** "1 review", "1,234 reviews" */
export const counted = (value: number, one: string, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;

/** A total of a search: "24", "1,000+" where more match than are counted. */
export const formatTotal = (total: number, isExact = true) => `${count(total)}${isExact ? '' : '+'}`;

/** "24 listings", "1,000+ listings"; "Listings" where the total is not known. */
export const totalOfListings = (total: number | null, isExact = true) =>
  total === null ? 'Listings' : `${formatTotal(total, isExact)} ${total === 1 ? 'listing' : 'listings'}`;

const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** A small number as prose says it: 3 becomes "three". From 13 on in figures. */
export const inWords = (value: number) => words[value] ?? count(value);
