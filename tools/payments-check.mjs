import { install, runNode } from './install.mjs';

// Checks the environment's keys of the payment provider.
await install();
await runNode(['server/src/payments-check.ts', ...process.argv.slice(2)]);
