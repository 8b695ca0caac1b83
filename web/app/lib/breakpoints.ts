/**
 * The three widths at which the layout changes, in CSS pixels. Style sheets use them by name, such as `@media (--from-tablet)` and `@media
 * (--below-tablet)`; `named-widths.ts` inserts the numbers.
 */
export const breakpoints = { tablet: 600, desk: 900, wide: 1100 } as const;

/**
 * Container widths, for `@container (--below-fan)`: below `fan` three cards side by side have room only for their titles; from `pair` on two
 * fields fit beside each other, and from `row` on their button too.
 */
export const containerWidths = { fan: 460, pair: 440, row: 680 } as const;
