import { resolve } from 'node:path';
import { install, runNode } from './install.mjs';

// Imports the localities of official files.
await install();
await runNode(['server/src/places-import.ts', ...process.argv.slice(2).map((path) => resolve(path))]);
