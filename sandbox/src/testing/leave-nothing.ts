import { afterAll, vi } from 'vitest';

// Files of tests share a process: what one stands in for is itself again for the next.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
