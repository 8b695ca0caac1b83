const minuteMs = 60_000;

/** What is left until a moment, in whole days, hours and minutes; nothing once it has come. */
export function timeLeft(until: string, now: number) {
  const minutes = Math.max(0, Math.floor((Date.parse(until) - now) / minuteMs));
  return { days: Math.floor(minutes / 1440), hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60 };
}

/** After how many milliseconds it will be written otherwise; null once the moment has come. */
export function nextTickMs(until: string, now: number): number | null {
  const left = Date.parse(until) - now;
  return left <= 0 ? null : (left % minuteMs) + 1;
}
