import { install, runNode } from './install.mjs';

// Jobs alone, against the database of the environment. As many of these as the work needs, beside any number of servers.
await install();
await runNode(['server/src/work.ts', ...process.argv.slice(2)]);
