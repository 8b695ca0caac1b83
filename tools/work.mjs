import { install, runNode, serverFlags } from './install.mjs';
import { staging } from './staging.mjs';

// Jobs alone, with the environment's services, or in a sandbox with those of `npm run stand-ins`. Any number of
// workers beside any number of servers.
await install();
const { env, flags } = staging();
await runNode([...serverFlags, ...flags, 'server/src/work.ts', ...process.argv.slice(2)], { env });
