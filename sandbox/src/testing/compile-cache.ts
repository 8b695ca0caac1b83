// Caches compiled code, because tests start the server some sixty times. Not for Vitest's own processes,
// whose exit sometimes hung for a minute while the cache was written.
import { join } from 'node:path';

process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../../node_modules/.cache/compiled');
