import { afterAll, vi } from 'vitest';

// Test files share a process, so each must restore its mocks.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
