import { readStored, writeStored } from '../browser-storage.ts';

// Long enough to register and confirm an address, too short to surprise somebody another day.
const validMs = 60 * 60 * 1000;

/** Remembers what a visitor wants to do once they are signed in. */
export const keepForAnHour = (key: string, what: object, now: number) =>
  writeStored(key, JSON.stringify({ ...what, until: now + validMs }));

/** What was remembered, while it holds. What others wrote there is nothing. */
export function readOfTheHour(key: string, now: number): Record<string, unknown> | null {
  try {
    const kept = JSON.parse(readStored(key) ?? '') as Record<string, unknown> & { until: number };
    return kept.until > now ? kept : null;
  } catch {
    return null;
  }
}
