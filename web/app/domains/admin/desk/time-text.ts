/** A moment as administrators read it, by their own clocks: "Nov 22, 2026, 3:06 PM". */
export const timeText = (time: string) =>
  new Date(time).toLocaleString('en-US', { month: 'short', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit' });
