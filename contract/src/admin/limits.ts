/** Where the totals of administrators' searches stop. Without schemas, to keep them out of page scripts. */
export const maxCounted = 1_000;
