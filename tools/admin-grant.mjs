import { install, runNode } from './install.mjs';

// Gives the administrator's role, in the environment's database or the embedded one of DATA_DIR, running or not.
await install();
await runNode(['sandbox/src/own-database.ts', 'server/src/admin-grant.ts', ...process.argv.slice(2)]);
