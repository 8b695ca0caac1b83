import { timeWriter } from '@handwise/contract/dates';

const write = timeWriter('en-US', { month: 'short', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit' });

/** A moment as administrators read it, by their own clocks: "Nov 22, 2026, 3:06 PM". */
export const timeText = (time: string) => write(time);
