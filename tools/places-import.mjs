import { resolve } from 'node:path';
import { install, runNode } from './install.mjs';

// Puts the localities of official files into the product.
await install();
await runNode(['server/src/places-import.ts', ...process.argv.slice(2).map((path) => resolve(path))]);
