import { vi } from 'vitest';

/** Waits until the check no longer throws; longer than Vitest's second, for busy machines. */
export const until = <T>(check: () => T) => vi.waitFor(check, { timeout: 90_000 });
