const minuteMs = 60_000;

/** What is left until a moment, in whole units; nothing but zeros once it has come. */
export function timeLeft(until: string, now: number) {
  const seconds = Math.max(0, Math.floor((Date.parse(until) - now) / 1000));
  return {
    days: Math.floor(seconds / 86_400),
    hours: Math.floor(seconds / 3600) % 24,
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
  };
}

/** After how many milliseconds its minutes will be written otherwise; null once the moment has come. */
export function nextMinuteMs(until: string, now: number): number | null {
  const left = Date.parse(until) - now;
  return left <= 0 ? null : (left % minuteMs) + 1;
}
