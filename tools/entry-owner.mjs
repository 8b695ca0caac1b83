import { install, runNode } from './install.mjs';

// Finds the owner of a draw's entry, in the environment's database or the embedded one of DATA_DIR, running or not.
await install();
await runNode(['sandbox/src/own-database.ts', 'server/src/entry-owner.ts', ...process.argv.slice(2)]);
