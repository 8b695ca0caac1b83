import { vi } from 'vitest';

/** Replaces `localStorage` until `vi.unstubAllGlobals()`. Returns what is stored. */
export function stubLocalStorage(stored = new Map<string, string>()): Map<string, string> {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  return stored;
}
