/** The share of page views that are measured. Apart from the call, whose schema browsers do not load. */
export const measuredShare = 0.1;
