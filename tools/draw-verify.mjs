import { install, runNode } from './install.mjs';

// Whether a draw holds, from its proof file and whatever else one has of it. Needs no server and no database.
await install();
await runNode(['proof/src/cli.ts', ...process.argv.slice(2)]);
