import { install, runNode } from './install.mjs';

// Runs an operator's command of commands/ on the product's own Node. These use the environment's database, or the embedded one of DATA_DIR, running or not.
const onDatabase = ['admin-grant', 'audit', 'doctor', 'entry-owner'];
const [name, ...args] = process.argv.slice(2);
await install();
await runNode([...(onDatabase.includes(name) ? ['sandbox/src/own-database.ts'] : []), `commands/${name}.ts`, ...args]);
