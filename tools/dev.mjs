import { install, runNode } from './install.mjs';

// Pages reload through Vite. A change of server, contract or proof restarts the process, which takes two seconds.
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
