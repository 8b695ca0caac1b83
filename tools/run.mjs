import { build } from './build.mjs';
import { install, nodePath, run, withOwnNode } from './install.mjs';

// Runs a script on the product's own Node, once the packages are installed and the site is built. The shell's Node can be too old for it.
await install();
await build();
await run(nodePath, process.argv.slice(2), { env: withOwnNode() });
