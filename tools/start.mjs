import { build } from './build.mjs';
import { install, runNode, serverFlags } from './install.mjs';

await install();
await build();
// React renders several times faster in production mode.
const { NODE_ENV = 'production', SANDBOX = process.env.NODE_ENV ? '' : '1' } = process.env;
await runNode([...serverFlags, 'sandbox/src/start.ts'], { env: { NODE_ENV, SANDBOX } });
