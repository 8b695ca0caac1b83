import { join } from 'node:path';
import { root, startNode } from './install.mjs';

// Tests start the server some sixty times: what Node makes of its sources is kept for the next start.
const env = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled') };

/** Starts Vitest on all tests, or on those of the files that the arguments name. */
export const startTests = (args) => startNode(['node_modules/vitest/vitest.mjs', 'run', ...args], { env });
