/** The two screen sizes of journeys. */
export const sizes = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
/** The narrowest screen, on which no page may be cut off (WCAG 2.2, reflow). */
export const narrowest = { width: 320, height: 640 };
