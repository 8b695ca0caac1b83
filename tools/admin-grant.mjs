import { install, runNode } from './install.mjs';

// Gives the administrator's role, in the database of the environment or the embedded one of DATA_DIR, whether a start has it running or not.
await install();
await runNode(['sandbox/src/admin-grant.ts', ...process.argv.slice(2)]);
