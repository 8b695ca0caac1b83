import { formatDate, formatMoment, siteTimeZone } from '@handwise/contract/dates';

// The contract has the draw's time zone too, but behind schemas, which public pages do not load.

/** A moment in the draws' time zone: "Oct 31, 2026, 11:30 pm". */
export const drawMoment = (iso: string) => formatMoment(iso, siteTimeZone);

export const formatDrawDay = (iso: string) => formatDate(iso, siteTimeZone);
