// Tests start the server some sixty times: what Node makes of its sources is kept for the next start. Vitest's own processes are not started with
// it: one that wrote down what it had compiled as it ended was now and then waited for in vain, for a minute.
import { join } from 'node:path';

process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../../node_modules/.cache/compiled');
