import { build } from './build.mjs';
import { install, runNode, serverFlags } from './install.mjs';
import { staging } from './staging.mjs';

// The server alone, with the environment's services, or in a sandbox with those of `npm run stand-ins`.
await install();
await build();
const { env, flags } = staging();
await runNode([...serverFlags, ...flags, 'server/src/main.ts', ...process.argv.slice(2)], { env });
