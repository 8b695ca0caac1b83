import { locationPath } from './format.ts';

/** "Taupō › Waikato › New Zealand", where a line may end after a › but none begins with one. */
export const placeLine = (location: string) => locationPath(location).replaceAll(' ›', '\u00a0›');
