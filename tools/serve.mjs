import { build } from './build.mjs';
import { install, runNode, serverFlags } from './install.mjs';

// The server alone, against the database of the environment.
await install();
await build();
await runNode([...serverFlags, 'server/src/main.ts']);
