import { build } from './build.mjs';
import { install, runNode } from './install.mjs';

// Backs up a site under load, destroys and restores it: see docs/operations.md.
await install();
await build();
await runNode(['sandbox/src/backup/restore-drill.ts', ...process.argv.slice(2)]);
