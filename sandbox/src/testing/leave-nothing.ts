import { afterAll, vi } from 'vitest';

// A module that is still being loaded when its file ends would be an error outside of any test.
afterAll(() => vi.dynamicImportSettled());

// Test files share a process, so each must restore its mocks.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
