/**
 * The three widths at which the layout changes, in CSS pixels. Style sheets name them: `@media (--from-tablet)`, `@media (--below-tablet)`
 * and so on; `vite.config.ts` puts the numbers there.
 */
export const breakpoints = { tablet: 600, desk: 900, wide: 1100 } as const;
