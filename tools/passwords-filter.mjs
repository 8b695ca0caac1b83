import { resolve } from 'node:path';
import { install, runNode } from './install.mjs';

// A filter of breached passwords, made of a public list.
await install();
await runNode(['server/src/passwords-filter.ts', ...process.argv.slice(2).map((path) => resolve(path))]);
