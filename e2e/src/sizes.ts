/** The two screens on which journeys walk. */
export const sizes = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
