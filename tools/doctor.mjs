import { install, runNode } from './install.mjs';

// Checks the environment, with the embedded database of DATA_DIR where there is no other.
await install();
await runNode(['sandbox/src/own-database.ts', 'server/src/doctor-command.ts', ...process.argv.slice(2)]);
