/**
 * Formats a number with thousands separators: `1234` becomes "1,234". Not with `Intl.NumberFormat`, because creating one delays a
 * phone's first paint by a tenth of a second.
 */
export const count = (value: number) => withDecimals(value, 0);

/** Formats a number with fixed decimals: `1234.5` and 2 become "1,234.50". */
export const withDecimals = (value: number, decimals: number) => value.toFixed(decimals).replace(/\d(?=(?:\d{3})+(?:\.|$))/g, '$&,');

/** "1 review", "1,234 reviews" */
export const counted = (value: number, one: string, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;

/** The total of a search: "24", or "1,000+" if it is not exact. */
export const formatTotal = (total: number, isExact = true) => `${count(total)}${isExact ? '' : '+'}`;

/** "24 listings", "1,000+ listings"; "Listings" if the total is unknown. */
export const totalOfListings = (total: number | null, isExact = true) =>
  total === null ? 'Listings' : `${formatTotal(total, isExact)} ${total === 1 ? 'listing' : 'listings'}`;

const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** A number in prose: 3 becomes "three". Numbers above 12 stay digits. */
export const inWords = (value: number) => words[value] ?? count(value);
