import { build } from './build.mjs';
import { install, runNode } from './install.mjs';

// A site of its own, backed up under load, destroyed and restored: see docs/operations.md.
await install();
await build();
await runNode(['sandbox/src/backup/restore-drill.ts', ...process.argv.slice(2)]);
