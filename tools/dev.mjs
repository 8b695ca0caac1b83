import { install, runNode } from './install.mjs';

// Pages reload through Vite. A change of the server, the contract or the proof starts the process anew, which takes two seconds.
await install();
await runNode([
  '--watch-path=server/src',
  '--watch-path=server/migrations',
  '--watch-path=contract/src',
  '--watch-path=proof/src',
  '--watch-preserve-output',
  'sandbox/src/start.ts',
  '--development',
]);
