import { build } from './build.mjs';
import { install, runNode, serverFlags } from './install.mjs';

await install();
await build();
// React renders on the server several times quicker where it knows that nobody debugs it.
const { NODE_ENV = 'production', SANDBOX = process.env.NODE_ENV ? '' : '1' } = process.env;
await runNode([...serverFlags, 'sandbox/src/start.ts'], { env: { NODE_ENV, SANDBOX } });
