import { install, runNode } from './install.mjs';

// Tries the keys of the payment provider that the environment names, and says what is missing.
await install();
await runNode(['server/src/payments-check.ts', ...process.argv.slice(2)]);
