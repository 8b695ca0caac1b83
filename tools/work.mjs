import { install, runNode, serverFlags } from './install.mjs';
import { staging } from './staging.mjs';

// Jobs alone, against the database of the environment, or in a sandbox against the stand-ins of `npm run stand-ins`. As many of these as the work
// needs, beside any number of servers.
await install();
const { env, flags } = staging();
await runNode([...serverFlags, ...flags, 'server/src/work.ts', ...process.argv.slice(2)], { env });
