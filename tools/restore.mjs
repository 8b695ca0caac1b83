import { install, runNode } from './install.mjs';

// Restores a backup into an empty DATA_DIR: see docs/operations.md.
await install();
await runNode(['sandbox/src/backup/restore-command.ts', ...process.argv.slice(2)]);
