import { install, runNode } from './install.mjs';

// Backs up the embedded database and the stored files: see docs/operations.md.
await install();
await runNode(['sandbox/src/backup/backup.ts', ...process.argv.slice(2)]);
