/**
 * The sections of a list of results, in order: the work here, the same work further away, other work of the same group here. The second comes last if it
 * begins beyond 100 km.
 */
export const sectionKeys = ['match', 'further', 'related'] as const;
export type SectionKey = (typeof sectionKeys)[number];

/** Fewer matches are followed by the other sections, each of which has at most as many. */
export const fewMatches = 5;
