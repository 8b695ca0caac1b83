import { startNode } from './install.mjs';

/** Starts Vitest on all tests, or on the named files. */
export const startTests = (args, env, options) => startNode(['node_modules/vitest/vitest.mjs', 'run', ...args], { env, ...options });
