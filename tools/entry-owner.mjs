import { install, runNode } from './install.mjs';

// Says whose an entry of a draw is, in the database of the environment or the embedded one of DATA_DIR, whether a start has it running or not.
await install();
await runNode(['sandbox/src/entry-owner.ts', ...process.argv.slice(2)]);
