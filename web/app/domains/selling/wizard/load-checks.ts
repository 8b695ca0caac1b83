import { useSyncExternalStore } from 'react';
import type * as checks from './wizard-checks.ts';

type Checks = typeof checks;

let loaded: Checks | null = null;
const listeners = new Set<() => void>();

/** Loads what checks a draft, with its 30 kB of schemas: a first step that is only looked at does without. */
export async function loadChecks(): Promise<Checks> {
  loaded ??= await import('./wizard-checks.ts');
  for (const listener of listeners) listener();
  return loaded;
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Null until they are loaded. */
export const useChecks = () =>
  useSyncExternalStore(
    subscribe,
    () => loaded,
    () => null,
  );
