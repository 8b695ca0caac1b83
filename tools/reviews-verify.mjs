import { install, runNode } from './install.mjs';

// Verifies a file of signed reviews. Needs no server, no database and no network.
await install();
await runNode(['proof/src/reviews-cli.ts', ...process.argv.slice(2)]);
