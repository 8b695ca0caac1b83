import { momentText, ownTimeZone } from '@handwise/contract/dates';

/** A moment in the administrator's time zone: "Nov 22, 2026, 3:06 pm". */
export const timeText = (time: string) => momentText(time, ownTimeZone());
