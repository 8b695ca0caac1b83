/**
 * The three widths at which the layout changes, in CSS pixels. Style sheets name them: `@media (--from-tablet)`, `@media (--below-tablet)`
 * and so on; `named-widths.ts` puts the numbers there.
 */
export const breakpoints = { tablet: 600, desk: 900, wide: 1100 } as const;

/** Widths of a part of the page, for `@container (--below-fan)`: three cards side by side have no room for more than their titles. */
export const containerWidths = { fan: 460 } as const;

/**
 * From here on the content grows no wider: 1200 pixels and the gutters beside them.
 */
export const fullWidth = 1264;
