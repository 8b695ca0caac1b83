import { momentText, ownTimeZone } from '@handwise/contract/dates';

/** A moment by the clocks of the administrator who reads it: "Nov 22, 2026, 3:06 pm". */
export const timeText = (time: string) => momentText(time, ownTimeZone());
