/** The two screens on which journeys walk. */
export const sizes = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
/** No page may be cut on it (WCAG 2.2, reflow). */
export const narrowest = { width: 320, height: 640 };
