import { useSyncExternalStore } from 'react';

export type ColorScheme = 'light' | 'dark' | 'auto';

// Mantine's key, so that its components and ours always agree.
const colorSchemeKey = 'mantine-color-scheme-value';

const listeners = new Set<() => void>();

function read(): ColorScheme {
  try {
    const stored = localStorage.getItem(colorSchemeKey);
    return stored === 'light' || stored === 'dark' ? stored : 'auto';
  } catch {
    return 'auto';
  }
}

function apply() {
  const scheme = read();
  const dark = scheme === 'dark' || (scheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light';
  notify();
}

function notify() {
  for (const listener of listeners) listener();
}

export function setColorScheme(scheme: ColorScheme) {
  try {
    if (scheme === 'auto') localStorage.removeItem(colorSchemeKey);
    else localStorage.setItem(colorSchemeKey, scheme);
  } catch {}
  notify();
  // The choice is painted first, because new colours of the whole page take a slow phone 150 ms.
  requestAnimationFrame(() => setTimeout(apply));
}

function subscribe(listener: () => void) {
  const system = matchMedia('(prefers-color-scheme: dark)');
  if (listeners.size === 0) {
    system.addEventListener('change', apply);
    addEventListener('storage', apply);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    system.removeEventListener('change', apply);
    removeEventListener('storage', apply);
  };
}

/** The user's choice, not the resulting scheme. `null` on the server and in the first render. */
export const useColorScheme = () => useSyncExternalStore<ColorScheme | null>(subscribe, read, () => null);

/** Follows the system and other tabs, for pages that do not show the choice. */
export const followColorScheme = () => subscribe(() => {});
