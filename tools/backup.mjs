import { install, runNode } from './install.mjs';

// A copy of the embedded database and the stored files, while the site runs or not: see docs/operations.md.
await install();
await runNode(['sandbox/src/backup/backup.ts', ...process.argv.slice(2)]);
