import { install, runNode } from './install.mjs';

// Verifies a draw from its proof file, and a log and checkpoint if given. Needs no server and no database.
await install();
await runNode(['proof/src/cli.ts', ...process.argv.slice(2)]);
