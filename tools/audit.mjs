import { install, runNode } from './install.mjs';

// The books of the database of the environment, or of the embedded one of DATA_DIR, whether a start has it running or not.
await install();
await runNode(['sandbox/src/audit.ts', ...process.argv.slice(2)]);
