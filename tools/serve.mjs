import { build } from './build.mjs';
import { install, runNode, serverFlags } from './install.mjs';
import { staging } from './staging.mjs';

// The server alone, against the database of the environment, or in a sandbox against the stand-ins of `npm run stand-ins`.
await install();
await build();
const { env, flags } = staging();
await runNode([...serverFlags, ...flags, 'server/src/main.ts'], { env });
