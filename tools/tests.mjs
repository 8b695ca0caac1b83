import { startNode } from './install.mjs';

/** Starts Vitest on all tests, or on those of the files that the arguments name. */
export const startTests = (args, env) => startNode(['node_modules/vitest/vitest.mjs', 'run', ...args], { env });
