import { dateText, momentText, siteTimeZone } from '@handwise/contract/dates';

// The draw's own time zone stands behind schemas, which public pages do not load; it is this one.

/** A moment by the clocks that decide: "Oct 31, 2026, 11:30 pm". */
export const drawMoment = (iso: string) => momentText(iso, siteTimeZone);

export const dayText = (iso: string) => dateText(iso, siteTimeZone);
