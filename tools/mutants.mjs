import { install, runNode } from './install.mjs';

// Plants small faults one at a time in a copy of the tree and says which ones the tests see: `npm run mutants -- --help`.
await install();
await runNode(['tools/mutants/run.mjs', ...process.argv.slice(2)]);
