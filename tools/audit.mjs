import { install, runNode } from './install.mjs';

// Audits the environment's database or the embedded one of DATA_DIR, running or not.
await install();
await runNode(['sandbox/src/own-database.ts', 'server/src/audit-command.ts', ...process.argv.slice(2)]);
